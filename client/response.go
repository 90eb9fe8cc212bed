package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// maxErrorBytes bounds what an *Error keeps of a body.
const maxErrorBytes = 64 << 10

var errTooLarge = errors.New("it is larger than the client accepts")

// exchange sends a call once, and decodes the answer into out.
func (c *Client) exchange(ctx context.Context, call *call, out any) error {
	req, err := c.newRequest(ctx, call)
	if err != nil {
		return fmt.Errorf("making the request %s %s: %w", call.Method, call.Path, err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return c.transportError(call, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		// The status counts, even where its body is cut off.
		body, _, _ := readBounded(resp.Body, min(c.maxBytes, maxErrorBytes))
		return newError(call, resp, body)
	}
	body, whole, err := readBounded(resp.Body, c.maxBytes)
	if err != nil {
		return fmt.Errorf("reading the answer to %s %s: %w", call.Method, call.Path, err)
	}
	failure := errTooLarge
	if whole {
		failure = decode(body, out)
	}
	if failure != nil {
		return &DecodeError{Method: call.Method, Path: call.Path, Status: resp.StatusCode, Body: body, Err: failure}
	}
	return nil
}

// transportError takes the query out of the error's URL: a search term can be
// somebody's email.
func (c *Client) transportError(call *call, err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		u.URL = c.base + call.Path
	}
	return err
}

// readBounded reads at most limit bytes, and reports whether that was all.
func readBounded(r io.Reader, limit int64) (body []byte, whole bool, err error) {
	body, err = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(body)) > limit {
		return body[:limit], false, err
	}
	return body, true, err
}

func decode(body []byte, out any) error {
	switch o := out.(type) {
	case nil:
		return nil
	case *json.RawMessage:
		*o = body
		return nil
	default:
		return json.Unmarshal(body, o)
	}
}
