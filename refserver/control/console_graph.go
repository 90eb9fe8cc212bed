package control

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// graph is a picture of connections: users on a circle, in a square of 800.
type graph struct {
	Nodes []node
	Edges []edge
	Left  int // users that are not in the picture
}

type node struct {
	ID, Name     string
	X, Y         int
	TextX, TextY int
	Anchor       string // of the text: away from the circle
}

type edge struct {
	Kind           string // follow or friend
	X1, Y1, X2, Y2 int
}

const (
	mostNodes = 20 // more cannot be read
	centre    = 400.0
	radius    = 240.0
)

// drawGraph draws the users with the most connections, of all or of the users that are named.
func drawGraph(server *refserver.Server, state store.State, of map[store.ID]bool) graph {
	type user struct {
		app store.App
		id  store.ID
	}
	degree := make(map[user]int)
	for _, c := range state.Connections {
		degree[user{c.App, c.From}]++
		degree[user{c.App, c.To}]++
	}
	users := slices.Clone(state.Users)
	if of != nil {
		users = slices.DeleteFunc(users, func(u store.User) bool { return !of[u.ID] })
	}
	slices.SortStableFunc(users, func(a, b store.User) int { return cmp.Compare(degree[user{b.App, b.ID}], degree[user{a.App, a.ID}]) })
	shown := users[:min(mostNodes, len(users))]
	slices.SortFunc(shown, func(a, b store.User) int { return cmp.Or(cmp.Compare(a.App, b.App), cmp.Compare(a.ID, b.ID)) })
	g := graph{Left: len(users) - len(shown)}
	places := make(map[user]int, len(shown))
	for i, u := range shown {
		angle := 2*math.Pi*float64(i)/float64(len(shown)) - math.Pi/2
		x, y := math.Cos(angle), math.Sin(angle)
		n := node{ID: server.UserID(u.ID), Name: cutName(u.UserName), X: int(centre + radius*x), Y: int(centre + radius*y), Anchor: "start"}
		n.TextX, n.TextY = int(centre+(radius+18)*x), int(centre+(radius+18)*y)+4
		if x < 0 {
			n.Anchor = "end"
		}
		places[user{u.App, u.ID}] = i
		g.Nodes = append(g.Nodes, n)
	}
	for _, c := range state.Connections {
		from, fromShown := places[user{c.App, c.From}]
		to, toShown := places[user{c.App, c.To}]
		if fromShown && toShown && (c.Type == store.Follow || !c.ConfirmedAt.IsZero()) {
			g.Edges = append(g.Edges, edge{string(c.Type), g.Nodes[from].X, g.Nodes[from].Y, g.Nodes[to].X, g.Nodes[to].Y})
		}
	}
	return g
}

// cutName keeps a name inside the picture.
func cutName(name string) string {
	const most = 12
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
}
