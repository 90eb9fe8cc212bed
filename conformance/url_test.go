package conformance

import "testing"

func TestPathsAreBelowTheBaseURL(t *testing.T) {
	for _, tc := range []struct{ base, url string }{
		{"https://host", "https://host/0.2/users/7"},
		{"https://host/", "https://host/0.2/users/7"},
		{"https://host/api", "https://host/api/0.2/users/7"},
		{"https://host/api/", "https://host/api/0.2/users/7"},
		{"https://host/0.2", "https://host/0.2/0.2/users/7"},
		{"https://host/a%2Fb", "https://host/a%2Fb/0.2/users/7"},
	} {
		base, err := Target{BaseURL: tc.base, AppToken: "token"}.base(nil)
		if err != nil {
			t.Fatal(err)
		}
		r := &run{Runner: &Runner{base: base}}
		if got := r.url("/0.2/users/7").String(); got != tc.url {
			t.Errorf("below %s the path is at %s, want %s", tc.base, got, tc.url)
		}
	}
}
