package traffic

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestRefusalsAreBlamedOnLimitsLast checks that a refusal is blamed on a limit of metadata only
// if nothing else was refused at the endpoint.
func TestRefusalsAreBlamedOnLimitsLast(t *testing.T) {
	long := value.Fields{"verb": "like", "metadata": map[string]any{"v": strings.Repeat("界", 500)}}
	short := value.Fields{"verb": "like", "latitude": 1}
	for name, test := range map[string]struct {
		refused []value.Fields
		want    string
	}{
		"long values":          {[]value.Fields{long}, "limits.metadata.characters"},
		"short ones":           {[]value.Fields{short, short}, "events.create.status"},
		"long and short ones":  {[]value.Fields{long, short}, "events.create.status"},
		"the other way around": {[]value.Fields{short, long}, "events.create.status"},
	} {
		s := NewChecker()
		for _, sent := range test.refused {
			s.Refused(rules.CreateEvent, sent, nil, "422")
		}
		s.Refused(rules.CreateUser, value.Fields{"user_name": "a"}, nil, "422") // at another endpoint
		var got []string
		for _, d := range s.Differences() {
			if d.At == rules.CreateEvent {
				got = append(got, d.Rule)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", name, got, test.want)
		}
	}
}
