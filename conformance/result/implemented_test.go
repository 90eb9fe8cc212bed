package result

import "testing"

// The numbers add up: where only some endpoints were judged, both are of those.
func TestEndpointsAreCountedOfThoseJudged(t *testing.T) {
	for want, c := range map[[2]string]EndpointCount{
		{"3 of the 20 that were judged", "17 of 20 endpoints that were judged are not implemented"}: {Implemented: 3, Missing: 17, Of: 22},
		{"5 of 22", "17 of 22 endpoints are not implemented"}:                                       {Implemented: 5, Missing: 17, Of: 22},
		{"21 of 22", "1 of 22 endpoints is not implemented"}:                                        {Implemented: 21, Missing: 1, Of: 22},
		{"0 of the 1 that was judged", "1 of 1 endpoint that was judged is not implemented"}:        {Missing: 1, Of: 22},
	} {
		if got := [2]string{c.Told(), c.NotImplemented()}; got != want {
			t.Errorf("%+v is told as %q, want %q", c, got, want)
		}
	}
}
