// Package har reads recorded traffic: HTTP archives (HAR 1.2) of browsers and proxies.
package har

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/rules"
)

const (
	maxFile    = 256 << 20 // bytes
	maxEntries = 100_000
)

const byteOrderMark = "\ufeff" // which HAR lets a file begin with

// Traffic is what an archive, or several, tell.
type Traffic struct {
	Exchanges []*clients.Exchange // in the order in which they ended, numbered by their start
	Skew      time.Duration       // how uncertain the order of what two connections carried is
	LeftOut   int                 // entries that were never on the wire, of other services, or unreadable
}

// Read reads an archive.
func Read(from io.Reader) (*Traffic, error) {
	bounded := &io.LimitedReader{R: from, N: maxFile + 1}
	buffered := bufio.NewReader(bounded)
	if mark, _ := buffered.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = buffered.Discard(len(mark)) // which are buffered
	}
	t := &Traffic{}
	creator, err := t.read(json.NewDecoder(buffered))
	switch {
	case bounded.N <= 0:
		return nil, fmt.Errorf("reading an HTTP archive: it is larger than %d bytes", maxFile)
	case err != nil:
		return nil, fmt.Errorf("reading an HTTP archive: %w", err)
	}
	t.Skew = skewOf(creator)
	t.withoutCredentials()
	return t, nil
}

// read finds the log's entries and the tool that made the archive.
func (t *Traffic) read(decoder *json.Decoder) (creator string, err error) {
	found := false
	err = object(decoder, func(key string) error {
		if key != "log" {
			return skip(decoder)
		}
		found = true
		return object(decoder, func(key string) error {
			switch key {
			case "creator":
				var made struct{ Name string }
				err := decoder.Decode(&made)
				creator = made.Name
				return err
			case "entries":
				return t.entries(decoder)
			}
			return skip(decoder)
		})
	})
	if errors.Is(err, io.EOF) || err == nil && !found {
		err = errors.New("it has no log: this is no HTTP archive")
	}
	return creator, err
}

func (t *Traffic) entries(decoder *json.Decoder) error {
	if err := expect(decoder, '['); err != nil {
		return err
	}
	for decoder.More() {
		var e entry
		if err := decoder.Decode(&e); err != nil {
			if _, mistyped := errors.AsType[*json.UnmarshalTypeError](err); !mistyped {
				return err
			}
			t.LeftOut++
			continue
		}
		x, ok := e.exchange()
		if !ok {
			t.LeftOut++
			continue
		}
		if len(t.Exchanges) == maxEntries {
			return fmt.Errorf("it has more than %d entries", maxEntries)
		}
		t.Exchanges = append(t.Exchanges, x)
	}
	return expect(decoder, ']')
}

// object visits the keys of a JSON object; visit takes their values.
func object(decoder *json.Decoder, visit func(key string) error) error {
	if err := expect(decoder, '{'); err != nil {
		return err
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := visit(name); err != nil {
			return err
		}
	}
	return expect(decoder, '}')
}

func expect(decoder *json.Decoder, want json.Delim) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	if got, is := token.(json.Delim); !is || got != want {
		return fmt.Errorf("there is %.20q where %q belongs", fmt.Sprint(token), want.String())
	}
	return nil
}

// skip passes over a value.
func skip(decoder *json.Decoder) error {
	var value json.RawMessage
	return decoder.Decode(&value)
}

// skewOf is how uncertain the order is: a browser's clock is the client's own, in
// milliseconds, while a proxy sees requests later than they were sent.
func skewOf(creator string) time.Duration {
	creator = strings.ToLower(creator)
	for _, browser := range []string{"webinspector", "firefox", "chrome", "playwright", "puppeteer", "safari", "webkit"} {
		if strings.Contains(creator, browser) {
			return 10 * time.Millisecond
		}
	}
	return clients.DefaultSkew
}

// withoutCredentials marks traffic whose Authorization headers were all taken out.
func (t *Traffic) withoutCredentials() {
	if slices.ContainsFunc(t.Exchanges, func(x *clients.Exchange) bool { return x.Header.Get("Authorization") != "" || x.Lacks.Credentials }) {
		return
	}
	for _, x := range t.Exchanges {
		x.Lacks.Credentials = true
	}
}

// Join puts archives together.
func Join(all ...*Traffic) *Traffic {
	joined := &Traffic{}
	for _, t := range all {
		joined.Exchanges = append(joined.Exchanges, t.Exchanges...)
		joined.Skew = max(joined.Skew, t.Skew)
		joined.LeftOut += t.LeftOut
	}
	return joined
}

// Of keeps the traffic with one service: that at the base URL, or with every one
// that an endpoint of the contract was asked of.
func (t *Traffic) Of(scheme, host, basePath string) {
	known := map[string]bool{}
	for _, x := range t.Exchanges {
		if e := x.Endpoint(basePath); e != rules.NoEndpoint && e != rules.Versions {
			known[origin(x.Scheme, x.Host)] = true
		}
	}
	if host != "" {
		known = map[string]bool{origin(scheme, host): true}
	}
	before := len(t.Exchanges)
	t.Exchanges = slices.DeleteFunc(t.Exchanges, func(x *clients.Exchange) bool {
		return !known[origin(x.Scheme, x.Host)] || !strings.HasPrefix(x.Target, strings.TrimSuffix(basePath, "/")+"/")
	})
	t.LeftOut += before - len(t.Exchanges)
	t.order()
}

// origin identifies a service in a normalized spelling.
func origin(scheme, host string) string {
	scheme, host = strings.ToLower(scheme), strings.ToLower(host)
	if port := map[string]string{"https": ":443", "http": ":80"}[scheme]; port != "" {
		host = strings.TrimSuffix(host, port)
	}
	return scheme + "://" + host
}

// order numbers the exchanges by their start and sorts them by their end.
func (t *Traffic) order() {
	slices.SortStableFunc(t.Exchanges, func(a, b *clients.Exchange) int { return a.Start.Compare(b.Start) })
	for i, x := range t.Exchanges {
		x.Number = i + 1
	}
	slices.SortStableFunc(t.Exchanges, func(a, b *clients.Exchange) int { return a.End.Compare(b.End) })
}
