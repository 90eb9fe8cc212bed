package watch

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestServicesBelowAPathAreJudgedByEndpoint has a service with a path before the contract's.
func TestServicesBelowAPathAreJudgedByEndpoint(t *testing.T) {
	catalogue, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
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
