package control

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// How much a page lists.
const (
	mostUsers = 200
	mostFeed  = 200

	mostSessions = 100
)

// worldPage is the content of the page of a world.
type worldPage struct {
	said
	World     string
	Worlds    []string
	View      worldView
	Dialects  []dialectTick
	Choices   []string
	Faults    string
	Users     []userRow
	UsersLeft int
	Graph     graph
	Connect   connection
	Builder   builder
}

// userRow is a user in a list.
type userRow struct {
	ID, UserName, Name, Email, LastLogin string
}

// moment is how pages write times.
const moment = "2006-01-02 15:04:05"

func newUserRow(server *refserver.Server, user *store.User) userRow {
	row := userRow{ID: server.UserID(user.ID), UserName: user.UserName, Name: strings.TrimSpace(user.FirstName + " " + user.LastName), Email: user.Email, LastLogin: "never"}
	if !user.LastLogin.IsZero() {
		row.LastLogin = user.LastLogin.Format(moment)
	}
	return row
}

// contents reads the data of a world, and the server that writes its ids.
func (w *World) contents(ctx context.Context) (*refserver.Server, store.State, error) {
	var server *refserver.Server
	var state store.State
	err := w.beside(ctx, func(current *refserver.Server) { server, state = current, current.State() })
	return server, state, err
}

func (c *console) worldPage(ctx context.Context, world *World) (worldPage, error) {
	page := worldPage{World: world.Name, Worlds: c.worldNames()}
	var err error
	if page.View, err = world.view(ctx); err != nil {
		return page, err
	}
	if page.Connect, err = c.plane.connection(world); err != nil {
		return page, err
	}
	server, state, err := world.contents(ctx)
	if err != nil {
		return page, err
	}
	page.Dialects, page.Faults = dialectTicks(page.View.Dialect), strings.Join(page.View.Faults, " ")
	for _, name := range slices.Sorted(maps.Keys(page.View.Choose)) {
		page.Choices = append(page.Choices, name+"="+page.View.Choose[name])
	}
	for i := range state.Users[:min(mostUsers, len(state.Users))] {
		page.Users = append(page.Users, newUserRow(server, &state.Users[i]))
	}
	page.UsersLeft = len(state.Users) - len(page.Users)
	page.Graph = drawGraph(server, state, nil)
	page.Builder = c.builder()
	return page, nil
}

// userPage is the content of the page of a user.
type userPage struct {
	World              string
	Worlds             []string
	User               userRow
	Follows, Followers []link
	Friends            []link
	Feed               []feedRow
	FeedLeft           int
	Graph              graph
	Sessions           []sessionRow
	SessionsLeft       int
	Token              string // of a session that was opened for the reader of the page
	Ended              bool   // one or all sessions were ended
}

type link struct{ ID, Name string }

// feedRow is an event in a feed, and why it is there.
type feedRow struct {
	ID, Who, What, When string
	Why                 []string
}

var errNoUser = errors.New("there is no user of this id")

// findUser finds the user that a page is about, or answers that there is none.
func findUser(w http.ResponseWriter, r *http.Request, server *refserver.Server, users []store.User) (*store.User, bool) {
	i := slices.IndexFunc(users, func(u store.User) bool { return server.UserID(u.ID) == r.PathValue("id") })
	if i < 0 {
		fail(w, http.StatusNotFound, errNoUser)
		return nil, false
	}
	return &users[i], true
}

// showUser shows a user's page, with the result of the reader's latest action.
func (c *console) showUser(w http.ResponseWriter, r *http.Request, world *World, page userPage) error {
	server, state, err := world.contents(r.Context())
	if err != nil {
		return err
	}
	settings, err := world.Settings(r.Context())
	if err != nil {
		return err
	}
	choices, err := settings.choices()
	if err != nil {
		return err
	}
	user, found := findUser(w, r, server, state.Users)
	if !found {
		return nil
	}
	around := neighbourhood{server: server, state: state, user: user, ownEvents: choices.OwnEvents, names: make(map[store.ID]string)}
	for _, user := range state.Users {
		if user.App == around.user.App {
			around.names[user.ID] = user.UserName
		}
	}
	page.World, page.Worlds, page.User = world.Name, c.worldNames(), newUserRow(server, around.user)
	page.Ended = r.URL.Query().Get("done") == "logout"
	sessions := sessionRows(server, &world.labels, user)
	page.Sessions = sessions[max(0, len(sessions)-mostSessions):] // the newest
	page.SessionsLeft = len(sessions) - len(page.Sessions)
	page.Follows, page.Followers, page.Friends = around.lists()
	page.Feed, page.FeedLeft = around.feed()
	page.Graph = drawGraph(server, state, around.members())
	c.page(w, http.StatusOK, "user", page)
	return nil
}

// neighbourhood is a user with its connections.
type neighbourhood struct {
	server    *refserver.Server
	state     store.State
	user      *store.User
	ownEvents bool
	names     map[store.ID]string
}

// each visits the user's connections that count, with the other end of each.
func (n *neighbourhood) each(visit func(other store.ID, outgoing bool, c *store.Connection)) {
	for i := range n.state.Connections {
		c := &n.state.Connections[i]
		if c.App != n.user.App || c.Type == store.Friend && c.ConfirmedAt.IsZero() {
			continue
		}
		switch n.user.ID {
		case c.From:
			visit(c.To, true, c)
		case c.To:
			visit(c.From, false, c)
		}
	}
}

// members are the user and the users at the other end of its connections.
func (n *neighbourhood) members() map[store.ID]bool {
	members := map[store.ID]bool{n.user.ID: true}
	n.each(func(other store.ID, _ bool, _ *store.Connection) { members[other] = true })
	return members
}

func (n *neighbourhood) lists() (follows, followers, friends []link) {
	n.each(func(other store.ID, outgoing bool, c *store.Connection) {
		to := link{n.server.UserID(other), n.names[other]}
		switch {
		case c.Type == store.Friend:
			if !slices.Contains(friends, to) {
				friends = append(friends, to)
			}
		case outgoing:
			follows = append(follows, to)
		default:
			followers = append(followers, to)
		}
	})
	return follows, followers, friends
}

// feed lists the newest events of the user's feed, and how many more there are.
func (n *neighbourhood) feed() ([]feedRow, int) {
	why := make(map[store.ID][]string)
	n.each(func(other store.ID, outgoing bool, c *store.Connection) {
		reason := ""
		switch {
		case c.Type == store.Friend:
			reason = n.user.UserName + " and " + n.names[other] + " are friends since " + c.ConfirmedAt.Format(moment)
		case outgoing:
			reason = n.user.UserName + " follows " + n.names[other] + " since " + c.CreatedAt.Format(moment)
		default:
			return
		}
		if !slices.Contains(why[other], reason) { // both friends' connections may say the same
			why[other] = append(why[other], reason)
		}
	})
	if n.ownEvents {
		why[n.user.ID] = []string{"one's own events are in the feed (own-events)"}
	}
	var events []*store.Event
	for i := range n.state.Events {
		if e := &n.state.Events[i]; e.App == n.user.App && len(why[e.Owner]) > 0 {
			events = append(events, e)
		}
	}
	slices.SortFunc(events, func(a, b *store.Event) int { return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID)) })
	listed := events[:min(mostFeed, len(events))]
	rows := make([]feedRow, 0, len(listed))
	for _, e := range listed {
		rows = append(rows, feedRow{ID: n.server.EventID(e.ID), Who: n.names[e.Owner], What: deed(e), When: e.CreatedAt.Format(moment), Why: why[e.Owner]})
	}
	return rows, len(events) - len(listed)
}

// deed describes an event in a few words.
func deed(e *store.Event) string {
	words := []string{e.Verb}
	if e.Object != nil {
		name := e.Object.ID
		for _, language := range slices.Sorted(maps.Keys(e.Object.DisplayName)) {
			name = e.Object.DisplayName[language]
			break
		}
		words = append(words, e.Object.Type, name)
	}
	if e.Location != "" {
		words = append(words, "in "+e.Location)
	}
	return strings.Join(words, " ")
}
