package proof_test

import (
	"bytes"
	"context"
	"hash/fnv"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
)

// footprint is where a fault acts, as it is seen from both its sides: at an endpoint, a request reaches
// the server otherwise than it came, or an answer leaves otherwise than the server gave it. Of faults in
// the store nothing is seen.
type footprint struct {
	mu sync.Mutex
	at map[rules.Endpoint]bool
}

type passageKey struct{}

// passage is what the server was asked and answered on the way of one request through a fault.
type passage struct {
	mu      sync.Mutex
	asked   []uint64
	answers []uint64
}

// around applies a fault between an inner and an outer look.
func (f *footprint) around(options *refserver.Options, apply func(*refserver.Options)) {
	options.WrapHandler = f.inside
	apply(options)
	faulty := options.WrapHandler
	options.WrapHandler = func(server http.Handler) http.Handler { return f.outside(faulty(server)) }
}

// inside records what reaches the server, and what it answers.
func (f *footprint) inside(server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, _ := r.Context().Value(passageKey{}).(*passage)
		if p == nil {
			server.ServeHTTP(w, r)
			return
		}
		asked := digestOf(r)
		kept := &keptAnswer{ResponseWriter: w}
		server.ServeHTTP(kept, r)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked, p.answers = append(p.asked, asked), append(p.answers, kept.digest())
	})
}

// outside compares what came and left with what the server was asked and answered.
func (f *footprint) outside(faulty http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &passage{}
		r = r.WithContext(context.WithValue(r.Context(), passageKey{}, p))
		came := digestOf(r)
		kept := &keptAnswer{ResponseWriter: w}
		faulty.ServeHTTP(kept, r)
		p.mu.Lock()
		acted := !slices.Contains(p.asked, came) || !slices.Contains(p.answers, kept.digest())
		p.mu.Unlock()
		if at := rules.EndpointOf(r.Method, r.URL.EscapedPath()); acted && at != rules.NoEndpoint {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.at == nil {
				f.at = map[rules.Endpoint]bool{}
			}
			f.at[at] = true
		}
	})
}

// endpoints are the numbers of those at which the fault acted.
func (f *footprint) endpoints() []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []int
	for at := range f.at {
		all = append(all, int(at))
	}
	slices.Sort(all)
	return all
}

// digestOf is a request in short; its body is put back.
func digestOf(r *http.Request) uint64 {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	digest := fnv.New64a()
	_, _ = io.WriteString(digest, strings.Join([]string{r.Method, r.RequestURI, r.URL.String(), r.Header.Get("Authorization"), r.Header.Get("Content-Type"), r.Header.Get("Accept"), r.Header.Get("User-Agent")}, "\n"))
	_, _ = digest.Write(body)
	return digest.Sum64()
}

// keptAnswer keeps what is written of an answer.
type keptAnswer struct {
	http.ResponseWriter
	status int
	header http.Header
	body   bytes.Buffer
}

func (k *keptAnswer) WriteHeader(status int) {
	if k.status == 0 {
		k.status, k.header = status, k.Header().Clone()
	}
	k.ResponseWriter.WriteHeader(status)
}

func (k *keptAnswer) Write(p []byte) (int, error) {
	if k.status == 0 {
		k.status, k.header = http.StatusOK, k.Header().Clone()
	}
	k.body.Write(p)
	return k.ResponseWriter.Write(p)
}

// Unwrap leads to what can do more.
func (k *keptAnswer) Unwrap() http.ResponseWriter { return k.ResponseWriter }

func (k *keptAnswer) digest() uint64 {
	digest := fnv.New64a()
	k.header.Del("Content-Length") // which who passes an answer on may count anew
	k.header.Del("Date")
	for _, name := range slices.Sorted(maps.Keys(k.header)) {
		_, _ = io.WriteString(digest, name+strings.Join(k.header[name], ",")+"\n")
	}
	_, _ = io.WriteString(digest, http.StatusText(k.status))
	_, _ = digest.Write(bytes.TrimSpace(k.body.Bytes()))
	return digest.Sum64()
}

// endpointRight says whether a run names, for a fault's own rule, an endpoint at which the fault acts:
// yes, no, or unknown where that is not seen, and the rule is one of several endpoints.
func endpointRight(rule string, report *result.Report, acts []int) verdictOnEndpoint {
	catalogue := rules.Load()
	known, _ := catalogue.Rule(rule)
	if places := known.Places(); len(acts) == 0 && !known.Passive && len(places) == 1 {
		acts = []int{int(places[0])}
	}
	for _, each := range report.Rules {
		broken := each.Status == result.Fail || each.Status == result.Warn || each.Status == result.Unstable
		at := endpointOf(each, report)
		if each.ID != rule || !broken || at == 0 || len(acts) == 0 {
			continue
		}
		if slices.Contains(acts, at) {
			return atTheRightEndpoint
		}
		return atAnother
	}
	return atUnknown
}

type verdictOnEndpoint int

const (
	atUnknown verdictOnEndpoint = iota
	atTheRightEndpoint
	atAnother
)
