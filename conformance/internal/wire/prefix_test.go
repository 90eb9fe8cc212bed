package wire

import (
	"net/http"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

func TestBaseURLPrefixesAreStripped(t *testing.T) {
	for _, tc := range []struct{ prefix, url string }{
		{"", "https://host/0.2/users/7"},
		{"/api", "https://host/api/0.2/users/7"},
		{"/0.2", "https://host/0.2/0.2/users/7"},
		{"/a%2Fb", "https://host/a%2Fb/0.2/users/7"},
	} {
		w := &Wire{prefix: tc.prefix}
		req, err := http.NewRequest("GET", tc.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if x := w.describe(req, nil); x.Endpoint != rules.GetUser {
			t.Errorf("%s below %s is taken for %q", tc.url, tc.prefix, x.Endpoint)
		}
	}
}
