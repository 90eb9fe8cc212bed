package watch

import (
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestServicesBelowAPathAreJudgedByEndpoint has a service with a path before the contract's.
func TestServicesBelowAPathAreJudgedByEndpoint(t *testing.T) {
	catalogue := Catalogue()
	for base, target := range map[string]string{"": "/0.2/user", "/api": "/api/0.2/user", "/api/": "/api/0.2/user"} {
		o := NewObserver(catalogue, clients.Options{BasePath: base})
		body := []byte(`{"id":7,"enabled":"yes"}`)
		found := o.See(&clients.Exchange{
			Number: 1, Start: time.Now(), End: time.Now(), Scheme: "https", Host: "feeds.example", Method: http.MethodGet, Target: target, Header: http.Header{},
			Status: http.StatusOK, RespHeader: http.Header{"Content-Type": {"application/json"}}, RespBody: body, RespSize: len(body),
		})
		if !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == "users.types" && f.Endpoint == rules.GetMe }) {
			t.Errorf("below %q: %v", base, found)
		}
	}
}

// TestAServiceCannotPassForTheProxy has a service send the header of the proxy's own answers.
func TestAServiceCannotPassForTheProxy(t *testing.T) {
	catalogue := Catalogue()
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Conform-Refused", "client.accept")
		_, _ = io.WriteString(w, `{"id":7,"enabled":"yes"}`)
	}), nil)
	response, err := http.Get(p.url + "/0.2/user")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	await(t, func() bool { return len(p.seen()) == 1 })
	found := NewObserver(catalogue, clients.Options{HTTP: true}).See(p.seen()[0])
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == "users.types" }) {
		t.Errorf("found is %v", found)
	}
}
