// Package har reads recorded traffic: HTTP archives (HAR 1.2) of browsers and proxies.
package har

import (
	"context"
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

// MaxFile is how long an archive may be, in bytes.
const MaxFile = 4 << 30

const maxEntries = 500_000

const byteOrderMark = "\ufeff" // which HAR lets a file begin with

// Service is the one whose traffic is looked for. Without a host it is every one that an endpoint
// of the contract was asked of.
type Service struct{ Scheme, Host, BasePath string }

// Traffic is what an archive, or several, tell. The exchanges stay in the archives, which are read
// once more for them.
type Traffic struct {
	Skew    time.Duration // how uncertain the order of what two connections carried is
	LeftOut int           // entries that were never on the wire, of other services, or unreadable

	of        Service
	exchanges []located // in the order in which they ended, numbered by their start
}

// archive is where exchanges are.
type archive struct {
	from            io.ReaderAt
	noCredentials   bool // all its Authorization headers were taken out
	withCredentials bool // some exchange of it has them, or had them
}

// located is an exchange by its place.
type located struct {
	in         *archive
	at         span
	number     int
	start, end time.Time
	service    string
	below      bool // its path is below the service's
	known      bool // it asks for an endpoint of the contract
	changes    bool // its method is one that changes something
}

// Read finds the exchanges of an archive. It ends with the context.
func Read(ctx context.Context, from io.ReaderAt, of Service) (*Traffic, error) {
	t := &Traffic{of: of}
	whole := io.NewSectionReader(from, 0, MaxFile+1)
	var mark [len(byteOrderMark)]byte
	if _, _ = io.ReadFull(whole, mark[:]); string(mark[:]) != byteOrderMark {
		_, _ = whole.Seek(0, io.SeekStart) // which cannot fail
	}
	begins, _ := whole.Seek(0, io.SeekCurrent)
	in := &archive{from: from}
	r := &reading{traffic: t, in: in, services: map[string]string{}, trimmed: newTrimmer(ctx, whole, begins, 0)}
	r.decoder = json.NewDecoder(r.trimmed)
	creator, err := r.read()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.trimmed.at > MaxFile:
		return nil, fmt.Errorf("reading an HTTP archive: it is larger than %d bytes", int64(MaxFile))
	case err != nil:
		return nil, fmt.Errorf("reading an HTTP archive: %w", err)
	}
	t.Skew = skewOf(creator)
	in.noCredentials = !in.withCredentials
	return t, nil
}

// reading is an archive being read.
type reading struct {
	traffic  *Traffic
	in       *archive
	trimmed  *trimmer
	decoder  *json.Decoder
	services map[string]string // each by its name, so that it is held once
}

// read finds the log's entries and the tool that made the archive.
func (r *reading) read() (creator string, err error) {
	found := false
	err = r.object(func(key string) error {
		if key != "log" {
			return r.skip()
		}
		found = true
		return r.object(func(key string) error {
			switch key {
			case "creator":
				var made struct{ Name string }
				err := r.decoder.Decode(&made)
				creator = made.Name
				return err
			case "entries":
				return r.entries()
			}
			return r.skip()
		})
	})
	if errors.Is(err, io.EOF) || err == nil && !found {
		err = errors.New("it has no log: this is no HTTP archive")
	}
	return creator, err
}

func (r *reading) entries() error {
	if err := r.expect('['); err != nil {
		return err
	}
	t := r.traffic
	for r.decoder.More() {
		x, err := decodeEntry(r.decoder)
		if err != nil {
			return err
		}
		at, found := r.trimmed.entryAt(r.decoder.InputOffset())
		if x == nil || !found {
			t.LeftOut++
			continue
		}
		if len(t.exchanges) == maxEntries {
			return fmt.Errorf("it has more than %d entries", maxEntries)
		}
		t.exchanges = append(t.exchanges, r.locate(x, at))
	}
	return r.expect(']')
}

// decodeEntry decodes the next entry; nil where it is no exchange.
func decodeEntry(decoder *json.Decoder) (*clients.Exchange, error) {
	var e entry
	if err := decoder.Decode(&e); err != nil {
		if _, mistyped := errors.AsType[*json.UnmarshalTypeError](err); mistyped {
			err = nil
		}
		return nil, err
	}
	x, ok := e.exchange()
	if !ok {
		return nil, nil //nolint:nilnil // an entry that is none is no error
	}
	return x, nil
}

// locate is what is held of an exchange.
func (r *reading) locate(x *clients.Exchange, at span) located {
	base := r.traffic.of.BasePath
	service := origin(x.Scheme, x.Host)
	if _, known := r.services[service]; !known {
		r.services[service] = service
	}
	e := x.Endpoint(base)
	r.in.withCredentials = r.in.withCredentials || x.Header.Get("Authorization") != "" || x.Lacks.Credentials
	return located{in: r.in, at: at, start: x.Start, end: x.End, service: r.services[service],
		below: strings.HasPrefix(x.Target, strings.TrimSuffix(base, "/")+"/"), known: e != rules.NoEndpoint && e != rules.Versions, changes: x.Changes()}
}

// object visits the keys of a JSON object; visit takes their values.
func (r *reading) object(visit func(key string) error) error {
	if err := r.expect('{'); err != nil {
		return err
	}
	for r.decoder.More() {
		key, err := r.decoder.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := visit(name); err != nil {
			return err
		}
	}
	return r.expect('}')
}

func (r *reading) expect(want json.Delim) error {
	token, err := r.decoder.Token()
	if err != nil {
		return err
	}
	if got, is := token.(json.Delim); !is || got != want {
		return fmt.Errorf("there is %.20q where %q belongs", fmt.Sprint(token), want.String())
	}
	return nil
}

// skip passes over a value.
func (r *reading) skip() error {
	for depth := 0; ; {
		token, err := r.decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		r.trimmed.entryAt(r.decoder.InputOffset())
		if depth == 0 {
			return nil
		}
	}
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

// Join puts together what archives tell of one service, numbered and in order.
func Join(all ...*Traffic) *Traffic {
	joined := &Traffic{}
	for _, t := range all {
		joined.of = t.of
		joined.exchanges = append(joined.exchanges, t.exchanges...)
		joined.Skew = max(joined.Skew, t.Skew)
		joined.LeftOut += t.LeftOut
	}
	joined.keepService()
	joined.order()
	return joined
}

// keepService keeps the traffic with the service.
func (t *Traffic) keepService() {
	known := map[string]bool{}
	for _, x := range t.exchanges {
		if x.known {
			known[x.service] = true
		}
	}
	if t.of.Host != "" {
		known = map[string]bool{origin(t.of.Scheme, t.of.Host): true}
	}
	before := len(t.exchanges)
	t.exchanges = slices.DeleteFunc(t.exchanges, func(x located) bool { return !x.below || !known[x.service] })
	t.LeftOut += before - len(t.exchanges)
}

// Service is the base URL of the service whose exchange ended first, "" where there is none.
func (t *Traffic) Service() string {
	if len(t.exchanges) == 0 {
		return ""
	}
	return t.exchanges[0].service
}

// Each reads the exchanges, one after the other.
func (t *Traffic) Each(ctx context.Context, see func(*clients.Exchange)) error {
	seen := t.seen()
	for i, l := range t.exchanges {
		part := io.NewSectionReader(l.in.from, l.at.from, l.at.to-l.at.from)
		x, err := decodeEntry(json.NewDecoder(newTrimmer(ctx, part, l.at.from, entryDepth-1)))
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return fmt.Errorf("reading an HTTP archive: %w", err)
		case x == nil:
			return errors.New("reading an HTTP archive: it was changed meanwhile")
		}
		x.Number, x.Seen = l.number, seen[i]
		x.Lacks.Credentials = x.Lacks.Credentials || l.in.noCredentials
		see(x)
	}
	return nil
}

// seen returns for each exchange when the earliest of those began that change something and come after it.
func (t *Traffic) seen() []time.Time {
	all, earliest := make([]time.Time, len(t.exchanges)), time.Unix(1<<40, 0)
	for i, l := range slices.Backward(t.exchanges) {
		all[i] = earliest
		if l.changes && l.start.Before(earliest) {
			earliest = l.start
		}
	}
	return all
}

// Services returns of how many services the traffic is.
func (t *Traffic) Services() int {
	all := map[string]bool{}
	for _, x := range t.exchanges {
		all[x.service] = true
	}
	return len(all)
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
	slices.SortStableFunc(t.exchanges, func(a, b located) int { return a.start.Compare(b.start) })
	for i := range t.exchanges {
		t.exchanges[i].number = i + 1
	}
	slices.SortStableFunc(t.exchanges, func(a, b located) int { return a.end.Compare(b.end) })
}
