package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// Event is something a user did (Resources and their fields, Event). Fields
// that a response leaves out are zero.
type Event struct {
	ID        ID                `json:"id"`
	UserID    ID                `json:"user_id,omitzero"`
	Verb      string            `json:"verb,omitempty"`
	Language  string            `json:"language,omitempty"`
	Priority  string            `json:"priority,omitempty"`
	Location  string            `json:"location,omitempty"`
	Latitude  *float64          `json:"latitude,omitempty"`  // in degrees
	Longitude *float64          `json:"longitude,omitempty"` // in degrees
	Metadata  map[string]string `json:"metadata,omitempty"`
	Object    *Object           `json:"object,omitempty"`
	Enabled   bool              `json:"enabled,omitempty"`
	CreatedAt time.Time         `json:"created_at,omitzero"`
	UpdatedAt time.Time         `json:"updated_at,omitzero"`
}

// Object is the object of an event. ID is required, and the application's own.
type Object struct {
	ID          string            `json:"id"`
	Type        string            `json:"type,omitempty"`
	URL         string            `json:"url,omitempty"`
	DisplayName map[string]string `json:"display_name,omitempty"` // by language code
}

// UnmarshalJSON decodes an Event, which must have an id.
func (e *Event) UnmarshalJSON(data []byte) error {
	type plain Event
	shape := struct {
		*plain
		CreatedAt timestamp `json:"created_at"`
		UpdatedAt timestamp `json:"updated_at"`
	}{plain: (*plain)(e)}
	if err := json.Unmarshal(data, &shape); err != nil {
		return err
	}
	if e.ID.IsZero() {
		return errors.New("an event without an id")
	}
	e.CreatedAt, e.UpdatedAt = time.Time(shape.CreatedAt), time.Time(shape.UpdatedAt)
	return nil
}

// EventFields are the fields of an event that an application sets (Endpoints,
// #18 and #19). Verb is required on creation. Empty fields are not sent; a
// pointer to 0 and a map that is empty, not nil, are.
type EventFields struct {
	Verb      string            `json:"verb,omitempty"`
	Language  string            `json:"language,omitempty"`
	Priority  string            `json:"priority,omitempty"`
	Location  string            `json:"location,omitempty"`
	Latitude  *float64          `json:"latitude,omitempty"`  // in degrees
	Longitude *float64          `json:"longitude,omitempty"` // in degrees
	Metadata  map[string]string `json:"metadata,omitzero"`   // see the contract's Limits, item 3
	Object    *Object           `json:"object,omitempty"`
}

// CreateEvent records an event of the session's user (Endpoints, #18).
func (s *Session) CreateEvent(ctx context.Context, f EventFields) (*Event, error) {
	return one[Event](ctx, s.Do, Request{Method: http.MethodPost, Path: "/0.2/user/events", Body: f})
}

// UpdateEvent changes an event of the session's user (Endpoints, #19). The
// contract does not say whether fields that are not sent are kept or cleared.
func (s *Session) UpdateEvent(ctx context.Context, id ID, f EventFields) (*Event, error) {
	return one[Event](ctx, s.Do, Request{Method: http.MethodPut, Path: "/0.2/user/events/" + id.segment(), Body: f})
}

// DeleteEvent deletes an event of the session's user (Endpoints, #20).
func (s *Session) DeleteEvent(ctx context.Context, id ID) error {
	return s.Do(ctx, Request{Method: http.MethodDelete, Path: "/0.2/user/events/" + id.segment()}, nil)
}
