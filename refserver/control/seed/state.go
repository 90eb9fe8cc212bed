package seed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// State writes the data to a new server by requests of the contract, at the times of the
// events, and returns the resulting state. It has no sessions. passwordCost is
// refserver.Options.PasswordCost of the server that will hold the state.
func (d Data) State(now time.Time, passwordCost int) (store.State, error) {
	story, err := d.story(now, passwordCost)
	if err != nil {
		return store.State{}, err
	}
	if err := story.begin(); err != nil {
		return store.State{}, err
	}
	if err := story.performAll(); err != nil {
		return store.State{}, err
	}
	state := story.server.State()
	state.Sessions = nil
	return state, nil
}

// story is the requests that make the state, in their order.
type story struct {
	data     Data
	server   *refserver.Server
	clock    time.Time
	appToken string
	sessions map[string]string // by user_name
	ids      map[string]string
	deeds    []deed // in the order of their times
}

// deed is an event that a user performs at a time.
type deed struct {
	at    time.Time
	who   string
	event Event
}

// story begins the story on a new server, with the events in the order of their times.
func (d Data) story(now time.Time, passwordCost int) (*story, error) {
	s := &story{data: d, appToken: refserver.NewAppToken(), sessions: make(map[string]string), ids: make(map[string]string)}
	s.clock = now
	for _, person := range d.Users {
		for i, event := range person.Events {
			at, err := event.when(now)
			if err != nil {
				return nil, fmt.Errorf("seeding: event %d of %s: %w", i+1, person.UserName, err)
			}
			s.deeds = append(s.deeds, deed{at, person.UserName, event})
		}
	}
	slices.SortStableFunc(s.deeds, func(a, b deed) int { return a.at.Compare(b.at) })
	if len(s.deeds) > 0 {
		s.clock = s.deeds[0].at
	}
	s.clock = s.clock.Add(-time.Hour) // everyone joins before anything happens
	server, err := refserver.New(refserver.Options{
		AppTokens: []string{s.appToken}, RateLimit: -1, AllowPlainHTTP: true, PasswordCost: passwordCost, Clock: func() time.Time { return s.clock },
	})
	if err != nil {
		return nil, fmt.Errorf("seeding: %w", err)
	}
	s.server = server
	return s, nil
}

// begin creates the users and their connections.
func (s *story) begin() error {
	for _, person := range s.data.Users {
		if s.ids[person.UserName] != "" {
			return fmt.Errorf("seeding: the user_name %s is there twice", person.UserName)
		}
		var joined struct {
			ID           json.Number `json:"id"`
			SessionToken string      `json:"session_token"`
		}
		if err := s.post("", "/0.2/users?withLogin=true", person.fields(), &joined); err != nil {
			return fmt.Errorf("seeding: user %s: %w", person.UserName, err)
		}
		s.ids[person.UserName], s.sessions[person.UserName] = joined.ID.String(), joined.SessionToken
	}
	for _, person := range s.data.Users {
		for _, kind := range []struct {
			name   string
			others []string
		}{{"follow", person.Follows}, {"friend", person.Friends}} {
			for _, other := range kind.others {
				if s.ids[other] == "" {
					return fmt.Errorf("seeding: %s is to %s %s, but the seed has no user %[3]s", person.UserName, kind.name, other)
				}
				connection := object{"user_to_id": s.ids[other], "type": kind.name}
				if err := s.post(s.sessions[person.UserName], "/0.2/user/connections", connection, nil); err != nil {
					return fmt.Errorf("seeding: %s is to %s %s: %w", person.UserName, kind.name, other, err)
				}
			}
		}
	}
	return nil
}

// performAll performs every event at its time.
func (s *story) performAll() error {
	for _, d := range s.deeds {
		s.clock = d.at
		if err := s.post(s.sessions[d.who], "/0.2/user/events", d.event.fields(), nil); err != nil {
			return fmt.Errorf("seeding: an event of %s (%s): %w", d.who, d.event.Verb, err)
		}
	}
	return nil
}

type object = map[string]any

// post sends a request to the story's server, without a socket.
func (s *story) post(session, path string, body object, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encoding it: %w", err)
	}
	var trace refserver.Trace
	request, err := http.NewRequestWithContext(refserver.WithTrace(context.Background(), &trace), http.MethodPost, path, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	request.RequestURI = path
	request.SetBasicAuth(s.appToken, session)
	request.Header.Set("User-Agent", "seed")
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	s.server.ServeHTTP(answer, request)
	if answer.Code != http.StatusCreated {
		return fmt.Errorf("refused: %s", trace.Reason)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

func (p Person) fields() object {
	return sent(object{
		"user_name": p.UserName, "password": cmp.Or(p.Password, DefaultPassword), "email": p.Email, "first_name": p.FirstName, "last_name": p.LastName,
		"custom_id": p.CustomID, "url": p.URL, "social_ids": p.SocialIDs, "metadata": p.Metadata,
	})
}

func (e Event) fields() object {
	fields := object{"verb": e.Verb, "language": e.Language, "priority": e.Priority, "location": e.Location, "metadata": e.Metadata}
	if e.Latitude != nil {
		fields["latitude"] = *e.Latitude
	}
	if e.Longitude != nil {
		fields["longitude"] = *e.Longitude
	}
	if o := e.Object; o != nil {
		fields["object"] = sent(object{"id": o.ID, "type": o.Type, "url": o.URL, "display_name": o.DisplayName})
	}
	return sent(fields)
}

// sent leaves out what is blank.
func sent(fields object) object {
	for name, value := range fields {
		switch value := value.(type) {
		case string:
			if strings.TrimSpace(value) == "" {
				delete(fields, name)
			}
		case map[string]string:
			if len(value) == 0 {
				delete(fields, name)
			}
		}
	}
	return fields
}
