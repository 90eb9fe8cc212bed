package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Request is a call in its general form, for endpoints, parameters and fields
// this package does not know yet (Versioning, item 4).
type Request struct {
	Method string
	// Path follows the base URL and starts with a slash, such as "/0.2/user".
	// Its segments are percent-encoded already, and none is empty or a dot segment.
	Path  string
	Query url.Values
	// Body is sent as JSON, unless it is nil. UserFields and Credentials are
	// sent with their password; embedded in another struct they are not, and
	// "password" must be a field of that struct's own.
	Body any
}

// Do sends r with the app token alone and decodes the response's body into
// out: nil discards it, a *json.RawMessage gets it as it is. Any 2xx status is
// a success; any other is an *Error, and a body that does not decode a
// *DecodeError. See the package documentation on repetitions.
func (c *Client) Do(ctx context.Context, r Request, out any) error {
	return c.send(ctx, tokens{app: c.appToken}, r, out)
}

// Do is like Client.Do, with the app token and the session token.
func (s *Session) Do(ctx context.Context, r Request, out any) error {
	return s.client.send(ctx, tokens{app: s.client.appToken, session: s.token}, r, out)
}

// call is an encoded Request, which every attempt sends.
type call struct {
	Request
	tokens tokens
	target string
	body   []byte
}

// send repeats r as long as the retry policy says so.
func (c *Client) send(ctx context.Context, t tokens, r Request, out any) error {
	target, err := c.target(r)
	if err != nil {
		return err
	}
	body, err := encode(r.Body)
	if err != nil {
		return fmt.Errorf("encoding the body of %s %s: %w", r.Method, r.Path, err)
	}
	call := &call{Request: r, tokens: t, target: target, body: body}
	for attempt := 0; ; attempt++ {
		err := c.exchange(ctx, call, out)
		wait, again := c.retry.next(ctx, err, attempt)
		if !again {
			return err
		}
		if stopped := c.retry.sleep(ctx, wait); stopped != nil {
			return fmt.Errorf("waiting to repeat the request: %w, after %w", stopped, err)
		}
	}
}

// target refuses empty and dot segments: an ID without a value would make
// another endpoint of the path, and servers resolve dots as they like.
func (c *Client) target(r Request) (string, error) {
	segments, rooted := strings.CutPrefix(r.Path, "/")
	if !rooted || strings.ContainsAny(r.Path, "?#") {
		return "", errors.New("client: a request's path must start with a slash and hold no query or fragment")
	}
	for segment := range strings.SplitSeq(segments, "/") {
		text, err := url.PathUnescape(segment)
		if err != nil {
			return "", errors.New("client: a request's path is not percent-encoded")
		}
		if text == "" || text == "." || text == ".." {
			return "", fmt.Errorf("client: %s %s: an empty or dot segment in the path, perhaps an ID without a value", r.Method, r.Path)
		}
	}
	if len(r.Query) == 0 {
		return c.base + r.Path, nil
	}
	return c.base + r.Path + "?" + r.Query.Encode(), nil
}

// encode gives bodies with a password their wire form: elsewhere, the password
// is left out of their JSON.
func encode(body any) ([]byte, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case UserFields:
		return json.Marshal(b.wire())
	case *UserFields:
		return encode(*b)
	case Credentials:
		return json.Marshal(b.wire())
	case *Credentials:
		return encode(*b)
	default:
		return json.Marshal(b)
	}
}

func (c *Client) newRequest(ctx context.Context, call *call) (*http.Request, error) {
	var body io.Reader
	if call.body != nil {
		body = bytes.NewReader(call.body)
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, call.target, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", c.userAgent)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if app, session, ok := call.tokens.pair(); ok {
		req.SetBasicAuth(app, session)
	}
	return req, nil
}
