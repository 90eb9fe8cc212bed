package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// story is what led to a failure: who did what, in order.
type story struct {
	Actors []int // the users by number, 0 for nobody
	Steps  []deed
	Long   bool // too long to be shown at once
}

// deed is one request of a story.
type deed struct {
	Number   int
	Actor    int // who sent it, or whom it made; 0 for nobody
	To       int // the user it is about, 0 for none
	Endpoint rules.Endpoint
	What     string // in words
	Request  string
	Body     string
	Wait     string
	Decides  bool
}

// Who names the actor.
func (d deed) Who() string { return who(d.Actor) }

func who(actor int) string {
	if actor == 0 {
		return "nobody"
	}
	return fmt.Sprintf("user %d", actor)
}

// The bounds of a story that is shown.
const (
	maxDeeds  = 80
	maxAtOnce = 12
)

var (
	sessionOf  = regexp.MustCompile(`\$SESSION_TOKEN_(\d{1,3})\b`)
	passwordOf = regexp.MustCompile(`\$PASSWORD_(\d{1,3})\b`)
	userOf     = regexp.MustCompile(`\$USER_ID_(\d{1,3})\b`)
	eventOf    = regexp.MustCompile(`\$EVENT_ID_(\d{1,3})\b`)
)

// storyOf reads the story off the steps of a reproduction, nil where there is none
// or where it is one request.
func storyOf(c *checkView) *story {
	from := c.check.Reproduction
	if from == nil || len(from.Steps) < 2 || len(from.Steps) > maxDeeds {
		return nil
	}
	s := &story{Long: len(from.Steps) > maxAtOnce}
	cast := cast{map[int]int{}, map[int]int{}}
	for i, step := range from.Steps {
		d := cast.deed(step)
		d.Number, d.Decides = i+1, i == len(from.Steps)-1
		s.Steps = append(s.Steps, d)
		if !slices.Contains(s.Actors, d.Actor) {
			s.Actors = append(s.Actors, d.Actor)
		}
	}
	slices.Sort(s.Actors)
	return s
}

// cast tells whose the sessions and the passwords of a story are.
type cast struct{ sessions, passwords map[int]int }

func (c cast) deed(step result.Step) deed {
	path, body := result.Shown(step.Path), result.Shown(step.Body)
	address, _, _ := strings.Cut(path, "?")
	d := deed{Endpoint: rules.EndpointOf(step.Method, address), Request: short(step.Method + " " + path), Body: cut(oneLine(cut(body, maxLine)), 120),
		Actor: c.sessions[numberIn(sessionOf, result.Shown(step.User))], To: numberIn(userOf, path+" "+body)}
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
		c.sessions[session] = d.Actor
	}
	d.What = d.words(body, event)
	return d
}

func numberIn(in *regexp.Regexp, s string) int {
	n := 0
	if found := in.FindStringSubmatch(s); found != nil {
		fmt.Sscan(found[1], &n)
	}
	return n
}

// words says what is done.
func (d deed) words(body string, event int) string {
	named := func(noun string, n int) string {
		if n == 0 {
			return noun
		}
		return fmt.Sprintf("%s %d", noun, n)
	}
	user, own := named("user", d.To), named("event", event)
	switch d.Endpoint {
	case rules.CreateUser:
		return "signs up"
	case rules.Login:
		return "logs in"
	case rules.Logout:
		return "logs out"
	case rules.GetMe:
		return "reads its own record"
	case rules.UpdateMe:
		return "updates its own record"
	case rules.DeleteMe:
		return "deletes itself"
	case rules.GetUser:
		return "reads " + user
	case rules.SearchUsers:
		return "searches for users"
	case rules.CreateConnection:
		if strings.Contains(body, `"friend"`) {
			return "asks " + user + " to be friends"
		}
		return "follows " + user
	case rules.DeleteConnection:
		return "ends the connection to " + user
	case rules.MyFollows, rules.MyFollowers, rules.MyFriends:
		return "lists its " + d.Endpoint.Path()[strings.LastIndexByte(d.Endpoint.Path(), '/')+1:]
	case rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		return "lists the " + d.Endpoint.Path()[strings.LastIndexByte(d.Endpoint.Path(), '/')+1:] + " of " + user
	case rules.ConnectSocial:
		return "connects by social identifiers"
	case rules.CreateEvent:
		return "posts " + own
	case rules.UpdateEvent:
		return "changes " + own
	case rules.DeleteEvent:
		return "deletes " + own
	case rules.Feed:
		return "reads its feed"
	case rules.Versions:
		return "lists the versions"
	}
	method, _, _ := strings.Cut(d.Request, " ")
	return "sends a " + method + " request"
}
