package refserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// The views are the contract's resources as they are sent: blank fields are
// omitted (transport item 5), and a collection that is nil is one not sent.

type userView struct {
	ID           any               `json:"id"`
	CustomID     string            `json:"custom_id,omitempty"`
	SocialIDs    map[string]string `json:"social_ids,omitzero"`
	UserName     string            `json:"user_name,omitempty"`
	FirstName    string            `json:"first_name,omitempty"`
	LastName     string            `json:"last_name,omitempty"`
	Email        string            `json:"email,omitempty"`
	URL          string            `json:"url,omitempty"`
	Metadata     map[string]string `json:"metadata,omitzero"`
	Activated    *bool             `json:"activated,omitempty"`
	Enabled      bool              `json:"enabled"`
	LastLogin    string            `json:"last_login,omitempty"`
	Image        []imageView       `json:"image,omitempty"`
	CreatedAt    string            `json:"created_at"`
	UpdatedAt    string            `json:"updated_at"`
	SessionToken string            `json:"session_token,omitempty"`
	Further      *further          `json:"further,omitempty"`
}

// further are fields beyond the contract's lists; a server may add them.
type further struct {
	Revision int `json:"revision"`
}

func (s *Server) further() *further {
	if s.choices.FurtherFields {
		return &further{Revision: 1}
	}
	return nil
}

type imageView struct {
	URL string `json:"url"`
}

// userView shows a user to a viewer, who may be that user.
func (s *Server) userView(user store.User, viewer store.ID) userView {
	created, updated := s.timestamps(user.CreatedAt, user.UpdatedAt)
	view := userView{
		ID: s.userIDs.value(user.ID), CustomID: user.CustomID, SocialIDs: s.collection(user.SocialIDs),
		UserName: user.UserName, FirstName: user.FirstName, LastName: user.LastName, Email: user.Email,
		URL: user.URL, Metadata: s.collection(user.Metadata), Activated: user.Activated, Enabled: true,
		LastLogin: s.lastLogin(user.LastLogin), CreatedAt: created, UpdatedAt: updated,
		Further: s.further(),
	}
	if s.choices.HideEmail && user.ID != viewer {
		view.Email = ""
	}
	if user.ID != viewer && (s.choices.HideProfile || s.choices.ProfileToConnected && !s.connects(viewer, user)) {
		view.CustomID, view.SocialIDs, view.URL, view.Metadata = "", nil, "", nil
	}
	if s.choices.SendImage {
		view.Image = []imageView{{URL: "https://images.example/users/" + s.userIDs.text(user.ID) + ".png"}}
	}
	return view
}

// connects reports whether a user follows another one, or is its friend.
func (s *Server) connects(viewer store.ID, to store.User) bool {
	for _, list := range []func(store.App, store.ID) ([]store.User, error){s.store.Follows, s.store.Friends} {
		if users, err := list(to.App, viewer); err == nil && slices.ContainsFunc(users, func(u store.User) bool { return u.ID == to.ID }) {
			return true
		}
	}
	return false
}

// userText is a user as JSON. A user that comes unchanged from the store is encoded
// once; one that a wrapper altered, or that depends on the viewer, each time.
func (s *Server) userText(user *store.User, viewer store.ID) text {
	if s.sharesUserTexts() {
		return user.Encoded(s.encodeUser)
	}
	return encode(s.userView(*user, viewer))
}

// passingText is userText that is not kept for the next reader.
func (s *Server) passingText(user *store.User, viewer store.ID) text {
	if s.sharesUserTexts() {
		return user.EncodedInPassing(s.encodeUser)
	}
	return encode(s.userView(*user, viewer))
}

// sharesUserTexts reports whether a user looks the same to all viewers.
func (s *Server) sharesUserTexts() bool {
	return s.direct != nil && !s.choices.HideEmail && !s.choices.HideProfile && !s.choices.ProfileToConnected
}

func (s *Server) userList(users []store.User, viewer store.ID) list {
	return listOf(users, func(user *store.User) text { return s.userText(user, viewer) })
}

// eventText is an event as JSON, as with userText.
func (s *Server) eventText(event *store.Event) text {
	if s.direct == nil {
		return encode(s.eventView(event))
	}
	return event.Encoded(s.encodeEvent)
}

// encode encodes a view, which never fails.
func encode(view any) text {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(view); err != nil {
		panic(fmt.Sprintf("encoding a %T: %v", view, err)) // answered with a 500, see recovering
	}
	return bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

type connectionView struct {
	UserFromID  any                  `json:"user_from_id"`
	UserToID    any                  `json:"user_to_id"`
	Type        store.ConnectionType `json:"type"`
	ConfirmedAt string               `json:"confirmed_at,omitempty"`
	Enabled     bool                 `json:"enabled"`
	CreatedAt   string               `json:"created_at"`
	UpdatedAt   string               `json:"updated_at"`
	Further     *further             `json:"further,omitempty"`
}

func (s *Server) connectionView(c store.Connection) connectionView {
	view := connectionView{
		UserFromID: s.reference(c.From), UserToID: s.reference(c.To), Type: c.Type, Enabled: true,
		CreatedAt: s.timestamp(c.CreatedAt), UpdatedAt: s.timestamp(c.UpdatedAt), Further: s.further(),
	}
	if !c.ConfirmedAt.IsZero() {
		view.ConfirmedAt = s.timestamp(c.ConfirmedAt)
	}
	return view
}

type eventView struct {
	ID        any               `json:"id"`
	UserID    any               `json:"user_id"`
	Verb      string            `json:"verb"`
	Language  string            `json:"language,omitempty"`
	Priority  string            `json:"priority,omitempty"`
	Location  string            `json:"location,omitempty"`
	Latitude  *float64          `json:"latitude,omitempty"`
	Longitude *float64          `json:"longitude,omitempty"`
	Metadata  map[string]string `json:"metadata,omitzero"`
	Object    *objectView       `json:"object,omitempty"`
	Enabled   bool              `json:"enabled"`
	CreatedAt string            `json:"created_at"`
	UpdatedAt string            `json:"updated_at"`
	Further   *further          `json:"further,omitempty"`
}

// nonzero leaves out a coordinate of 0.
func nonzero(coordinate *float64) *float64 {
	if coordinate != nil && *coordinate == 0 {
		return nil
	}
	return coordinate
}

type objectView struct {
	ID          string            `json:"id"`
	Type        string            `json:"type,omitempty"`
	URL         string            `json:"url,omitempty"`
	DisplayName map[string]string `json:"display_name,omitzero"`
	Further     *further          `json:"further,omitempty"`
}

func (s *Server) eventView(event *store.Event) eventView {
	created, updated := s.timestamps(event.CreatedAt, event.UpdatedAt)
	view := eventView{
		ID: s.eventIDs.value(event.ID), UserID: s.reference(event.Owner), Verb: event.Verb,
		Language: event.Language, Priority: event.Priority, Location: event.Location,
		Latitude: event.Latitude, Longitude: event.Longitude, Metadata: s.collection(event.Metadata), Enabled: true,
		CreatedAt: created, UpdatedAt: updated, Further: s.further(),
	}
	if s.choices.OmitZeros {
		view.Latitude, view.Longitude = nonzero(view.Latitude), nonzero(view.Longitude)
	}
	if s.choices.FillInEvents {
		view.Language, view.Priority = cmp.Or(view.Language, "en"), cmp.Or(view.Priority, "normal")
	}
	if object := event.Object; object != nil {
		view.Object = &objectView{ID: object.ID, Type: object.Type, URL: object.URL, DisplayName: s.collection(object.DisplayName), Further: s.further()}
		if s.choices.OmitObjectURL {
			view.Object.URL = ""
		}
	}
	return view
}

// reference is the form of a user's id in connections and events.
func (s *Server) reference(user store.ID) any {
	if s.choices.StringReferences {
		return s.userIDs.text(user)
	}
	return s.userIDs.value(user)
}

// collection is nil for an empty map that is to be omitted, and never nil for one to be sent.
func (s *Server) collection(texts map[string]string) map[string]string {
	switch {
	case len(texts) > 0:
		return texts
	case s.choices.SendEmptyCollections:
		return map[string]string{}
	default:
		return nil
	}
}

// timestamp writes a time as RFC 3339 (transport item 4).
func (s *Server) timestamp(t time.Time) string {
	switch t = s.skewed(t); s.choices.Times {
	case WholeSeconds, KeptSeconds:
		return t.UTC().Format(time.RFC3339)
	case NearSeconds:
		return t.UTC().Round(time.Second).Format(time.RFC3339)
	case KeptMillis:
		return t.UTC().Format("2006-01-02T15:04:05.000Z")
	case OffsetTimes:
		halfPastFive := time.FixedZone("", (5*60+30)*60)
		return t.In(halfPastFive).Format("2006-01-02T15:04:05.000000-07:00")
	default:
		return t.UTC().Format("2006-01-02T15:04:05.000000Z")
	}
}

// timestamps are those of a resource, which are one and the same until it is changed.
func (s *Server) timestamps(created, updated time.Time) (createdAt, updatedAt string) {
	createdAt = s.timestamp(created)
	if updated.Equal(created) {
		return createdAt, createdAt
	}
	return createdAt, s.timestamp(updated)
}

// skewed is a time by the clock of the replica that took it.
func (s *Server) skewed(t time.Time) time.Time {
	if s.choices.ClockSkew > 0 && t.UnixMicro()%2 == 0 {
		return t.Add(s.choices.ClockSkew)
	}
	return t
}

// freshTime writes the time of a write in the answer to it, before it is kept; afterwards it is shown as kept.
func (s *Server) freshTime(t time.Time, kept string) string {
	switch s.choices.Times {
	case KeptMillis, KeptSeconds, NearSeconds:
		return s.skewed(t).UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	return kept
}

// lastLogin is the contract's zero value before the first login.
func (s *Server) lastLogin(t time.Time) string {
	switch {
	case !t.IsZero():
		return s.timestamp(t)
	case s.choices.OmitUnsetLastLogin:
		return ""
	default:
		return "0000-01-01T00:00:00Z"
	}
}
