package view

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Story is what led to a failure: who did what, in order.
type Story struct {
	Actors []int // the users by number, 0 for nobody
	Steps  []Step
	Long   bool // too long to be shown unfolded
}

// Step is one request of a story.
type Step struct {
	Number   int
	Actor    int // who sent it, or whom it made; 0 for nobody
	To       int // the user it is about, 0 for none
	Endpoint rules.Endpoint
	What     string // in words
	Request  string
	Body     string
	Wait     string
	AtOnce   bool // sent while the step before was not answered
	Decides  bool
}

// Who names the actor.
func (d Step) Who() string { return Who(d.Actor) }

// Who names an actor of a story.
func Who(actor int) string {
	if actor == 0 {
		return "nobody"
	}
	return fmt.Sprintf("user %d", actor)
}

// The bounds of a story that is shown.
const (
	maxStorySteps = 80
	maxAtOnce     = 12
	maxValues     = 300 // bytes of what a step sends
)

var (
	sessionOf  = regexp.MustCompile(`\$SESSION_TOKEN_(\d{1,3})\b`)
	passwordOf = regexp.MustCompile(`\$PASSWORD_(\d{1,3})\b`)
	userOf     = regexp.MustCompile(`\$USER_ID_(\d{1,3})\b`)
	eventOf    = regexp.MustCompile(`\$EVENT_ID_(\d{1,3})\b`)
)

// StoryOf reads the story off the steps of a reproduction, nil where there is none
// or where it is one request.
func StoryOf(c *Check) *Story {
	from := c.Result.Reproduction
	if from == nil || len(from.Steps) < 2 || len(from.Steps) > maxStorySteps {
		return nil
	}
	s := &Story{Long: len(from.Steps) > maxAtOnce}
	of := owners{map[int]int{}, map[int]int{}, map[int]int{}}
	for i, step := range from.Steps {
		d := of.step(step)
		d.Number, d.AtOnce, d.Decides = i+1, step.AtOnce, i == len(from.Steps)-1
		s.Steps = append(s.Steps, d)
		if !slices.Contains(s.Actors, d.Actor) {
			s.Actors = append(s.Actors, d.Actor)
		}
	}
	slices.Sort(s.Actors)
	return s
}

// owners are the users that the sessions and the passwords of a story belong to, and the latest session
// of each.
type owners struct{ sessions, passwords, latest map[int]int }

func (c owners) step(step result.Step) Step {
	path, body := result.Shown(step.Path), result.Shown(step.Body)
	address, _, _ := strings.Cut(path, "?")
	used := numberIn(sessionOf, result.Shown(step.User))
	d := Step{Endpoint: rules.EndpointOf(step.Method, address), Request: plain.Short(step.Method + " " + path), Body: plain.Cut(plain.Line(plain.Cut(readable(body), plain.MaxLine)), maxValues),
		Actor: c.sessions[used], To: numberIn(userOf, path+" "+body)}
	if step.WaitMS > 0 {
		d.Wait = tenths(step.WaitMS)
	}
	event, session, user := numberIn(eventOf, path), 0, 0
	for _, capture := range step.Captures {
		name := "$" + capture.Var
		session, user = max(session, numberIn(sessionOf, name)), max(user, numberIn(userOf, name))
		event = max(event, numberIn(eventOf, name))
	}
	password := numberIn(passwordOf, body)
	switch d.Endpoint {
	case rules.CreateUser:
		d.Actor = cmp.Or(user, session, password)
		c.passwords[password] = d.Actor
	case rules.Login, rules.UpdateMe:
		d.Actor = cmp.Or(d.Actor, c.passwords[password], user, session)
		c.passwords[password] = d.Actor
	}
	if session > 0 {
		c.sessions[session], c.latest[d.Actor] = d.Actor, session
	}
	d.What = d.words(body, event)
	if used > 0 && used < c.latest[d.Actor] {
		d.What += " in an earlier session"
	}
	return d
}

func numberIn(in *regexp.Regexp, s string) int {
	n := 0
	if found := in.FindStringSubmatch(s); found != nil {
		n, _ = strconv.Atoi(found[1]) // the patterns allow three digits only
	}
	return n
}

// words says what a step does.
func (d Step) words(body string, event int) string {
	user, own := withNumber("user", d.To), withNumber("event", event)
	path := d.Endpoint.Path()
	list := path[strings.LastIndexByte(path, '/')+1:]
	if d.Endpoint == rules.CreateConnection && strings.Contains(body, `"friend"`) {
		return "asks " + user + " to be friends"
	}
	said, known := map[rules.Endpoint]string{
		rules.CreateUser: "signs up", rules.Login: "logs in", rules.Logout: "logs out",
		rules.GetMe: "reads its own record", rules.UpdateMe: "updates its own record", rules.DeleteMe: "deletes itself",
		rules.GetUser: "reads " + user, rules.SearchUsers: "searches for users",
		rules.CreateConnection: "follows " + user, rules.DeleteConnection: "ends the connection to " + user,
		rules.MyFollows: "lists its " + list, rules.MyFollowers: "lists its " + list, rules.MyFriends: "lists its " + list,
		rules.FollowsOf: "lists the " + list + " of " + user, rules.FollowersOf: "lists the " + list + " of " + user, rules.FriendsOf: "lists the " + list + " of " + user,
		rules.ConnectSocial: "connects by social identifiers",
		rules.CreateEvent:   "posts " + own, rules.UpdateEvent: "changes " + own, rules.DeleteEvent: "deletes " + own,
		rules.Feed: "reads its feed", rules.Versions: "lists the versions",
	}[d.Endpoint]
	if !known {
		method, _, _ := strings.Cut(d.Request, " ")
		return "sends a " + method + " request"
	}
	return said
}

// withNumber is a noun followed by its number, if any.
func withNumber(noun string, n int) string {
	if n == 0 {
		return noun
	}
	return fmt.Sprintf("%s %d", noun, n)
}
