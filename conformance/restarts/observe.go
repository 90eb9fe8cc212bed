package restarts

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// observed is what the views of a target show.
type observed struct {
	facts    map[fact]string
	readerID string
	early    bool // the user who was there before the story can log in
	session  bool // and the session that the user had then is served
}

// The numbers of the user that reads, and of the one who was there before the story.
const (
	readerNumber = -1
	earlyNumber  = -2
)

// observe reads everything that the play has named. An error says that something could not be read.
func (p *player) observe(ctx context.Context) (observed, error) {
	p.reads++
	o := observed{facts: map[fact]string{}}
	if err := p.observeSessions(ctx, &o); err != nil {
		return o, err
	}
	reader := &user{name: fmt.Sprintf("%sr%d", p.run, p.reads), password: "hashed-" + p.run}
	made := p.call(ctx, createUser(reader, "reader"))
	if !made.ok() {
		return o, fmt.Errorf("creating a user to read with was answered with %s", made)
	}
	reader.id, reader.token = made.field("id"), made.field("session_token")
	o.readerID = reader.id
	if err := p.observeEarly(ctx, &o); err != nil {
		return o, err
	}
	p.known.users[readerNumber] = reader
	defer func() {
		_ = p.call(ctx, p.requestOf(write{kind: Delete, user: readerNumber})) // it stays where it cannot be deleted
		delete(p.known.users, readerNumber)
	}()
	for _, n := range slices.Sorted(maps.Keys(p.known.users)) {
		if n < 0 { // of those that no story names
			continue
		}
		if err := p.observeUser(ctx, n, &o); err != nil {
			return o, err
		}
	}
	return o, nil
}

// observeEarly looks for the user who was there before the story, and for the session of then. Where
// logging in ends that, the new one takes its place.
func (p *player) observeEarly(ctx context.Context, o *observed) error {
	p.known.users[earlyNumber] = p.early
	defer delete(p.known.users, earlyNumber)
	served := func() (bool, error) {
		a := p.call(ctx, request{method: http.MethodGet, path: me, as: earlyNumber})
		shown, err := shows(a)
		if err != nil {
			return false, fmt.Errorf("reading the user of a session was answered with %s", a)
		}
		return shown, nil
	}
	var err error
	if o.session, err = served(); err != nil {
		return err
	}
	a := p.call(ctx, logInAs(p.early))
	if o.early, err = shows(a); err != nil {
		return fmt.Errorf("logging in was answered with %s", a)
	}
	if !o.early || !o.session {
		return nil
	}
	still, err := served()
	if !still && err == nil {
		p.early.token = a.field("session_token")
	}
	return err
}

// observeSessions finds out which sessions are served.
func (p *player) observeSessions(ctx context.Context, o *observed) error {
	for _, n := range slices.Sorted(maps.Keys(p.known.sessions)) {
		a := p.call(ctx, request{method: http.MethodGet, path: me, token: n})
		served, err := shows(a)
		if err != nil {
			return fmt.Errorf("reading the user of a session was answered with %s", a)
		}
		if served {
			o.facts[fact{sessionServes, n, 0}] = there
		}
	}
	return nil
}

// shows reports whether an answer shows something. Neither it nor a refusal is an error.
func shows(a answer) (bool, error) {
	const serverErrors = 500
	if a.unanswered() || a.status >= serverErrors || a.status == http.StatusTooManyRequests {
		return false, fmt.Errorf("answered with %s", a)
	}
	return a.ok(), nil
}

// observeUser reads a user in all views: as the reader, and as the user.
func (p *player) observeUser(ctx context.Context, n int, o *observed) error {
	u := p.known.users[n]
	a := p.call(ctx, p.requestOf(write{kind: Login, user: n}))
	loggedIn, err := shows(a)
	if err != nil {
		return fmt.Errorf("logging in was answered with %s", a)
	}
	if loggedIn {
		o.facts[fact{canLogIn, n, 0}] = there
		p.known.open(n, a.field("session_token"))
		u.id = a.field("id")
		p.known.ids["user "+u.id] = given{p.starts, userName(n)}
	}
	a = p.call(ctx, request{method: http.MethodGet, path: users + "/search", query: u.name, as: readerNumber})
	if found, err := shows(a); err != nil {
		return fmt.Errorf("searching was answered with %s", a)
	} else if found {
		for _, record := range a.records() {
			if text(record["user_name"]) == u.name {
				o.facts[fact{isFound, n, 0}] = there
				u.id = text(record["id"])
			}
		}
	}
	if u.id != "" {
		if err := p.observeByID(ctx, n, o); err != nil {
			return err
		}
	}
	if loggedIn {
		return p.observeFeed(ctx, n, o)
	}
	return nil
}

// observeByID reads a user and the lists of connections, as the reader.
func (p *player) observeByID(ctx context.Context, n int, o *observed) error {
	read := func(rest string) (answer, bool, error) {
		a := p.call(ctx, request{method: http.MethodGet, path: users + "/", id: &ref{number: n}, rest: rest, as: readerNumber})
		shown, err := shows(a)
		if err != nil {
			return a, false, fmt.Errorf("reading a user%s was answered with %s", rest, a)
		}
		return a, shown, nil
	}
	u := p.known.users[n]
	a, shown, err := read("")
	if err != nil {
		return err
	}
	if shown {
		record, _ := a.body.(map[string]any)
		if text(record["user_name"]) == u.name { // another may have the id of one that is lost
			o.facts[fact{isRead, n, 0}] = shownValue(record, "first_name")
		}
	}
	for rest, v := range map[string]view{"/follows": inFollows, "/followers": inFollowers} {
		a, shown, err := read(rest)
		if err != nil {
			return err
		}
		for _, record := range a.records() {
			for other, u := range p.known.users {
				if !shown || u.id == "" || text(record["id"]) != u.id {
					continue
				}
				l := link{n, other}
				if v == inFollowers {
					l = link{other, n}
				}
				o.facts[fact{v, l.from, l.to}] = there
			}
		}
	}
	return nil
}

// observeFeed reads the feed of a user.
func (p *player) observeFeed(ctx context.Context, n int, o *observed) error {
	a := p.call(ctx, request{method: http.MethodGet, path: feed, as: n})
	shown, err := shows(a)
	if err != nil || !shown {
		return fmt.Errorf("reading a feed was answered with %s", a)
	}
	for _, record := range a.records() {
		object, _ := record["object"].(map[string]any)
		for e, each := range p.known.events {
			marker := text(object["id"])
			if marker != each.marker && (marker != "" || each.id == "" || text(record["id"]) != each.id) {
				continue
			}
			each.id = text(record["id"])
			o.facts[fact{inFeed, e, n}] = shownValue(record, "location")
		}
	}
	return nil
}

// shownValue is what a view shows of fields, never "".
func shownValue(record map[string]any, field string) string {
	if value := valueOf(record, field); value != "" {
		return value
	}
	return "nothing in " + field
}
