package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/testkit"
)

func TestReportsFollowTheSchema(t *testing.T) {
	t.Parallel()
	schema := testkit.Schema(t, "schema.json")
	all := everyReport()
	all["kept"] = keeping()
	for name, r := range all {
		if err := schema.Validate(testkit.JSON(t, asJSON(t, r))); err != nil {
			t.Errorf("%s: %s", name, plain.Cut(err.Error(), 1000))
		}
	}
}

// complete is a report in which every key of the format stands.
func complete() *result.Report {
	r := keeping()
	all := []*result.Report{failing(), blockedRun(), accepted(), passing()}
	for _, other := range all {
		r.Rules = append(r.Rules, other.Rules...)
	}
	c := &r.Rules[0].Checks[0]
	c.Exchanges[0].TraceID = aTrace
	c.Seen, c.Broken, c.Drawn, c.Deciding = 7, 2, true, new(int)
	text := []result.Piece{{Text: "a"}, {Var: "USER_ID_1"}}
	field := result.Field{Name: "Accept", Value: text}
	c.Reproduction = &result.Reproduction{Passwords: 1, Since: "2001-02-03T04:05:06Z", Words: []result.Word{{Var: "WORD_1", Length: 7}}, Answer: result.Answer{Status: 200, Headers: []result.Field{field}, Body: text}, Passing: []string{"401"}, Repeats: 20, RepeatAfterMS: 1,
		Steps: []result.Step{{Method: "GET", Path: text, User: text, Headers: []result.Field{field}, Body: text, WaitMS: 1, AtOnce: true,
			Captures: []result.Capture{{Var: "USER_ID_1", Field: "id"}}}}}
	r.EndedBy, r.Target.Trust = "the target stopped answering", []string{"--insecure"}
	r.NoVerdict = &result.NoVerdict{Reason: result.Unreachable, Retry: true}
	r.Tool.Commit, r.Tool.Settings = strings.Repeat("0a", 20), map[string]string{"jobs": "4"}
	r.JudgedAgain = &result.JudgedAgain{Tool: r.Tool, Failures: 3, Stand: 1, NoLonger: 1}
	r.Implementation = anImplementation()
	r.Claims = &result.Claims{Endpoints: []int{1, 2}, Parts: []string{"users"}, Of: 22}
	r.Weather = &result.Weather{Throttled: 1, Unavailable: 2, Intermediary: 3, Repeated: 4, WaitedMS: 5}
	r.WatchedMS, r.Jobs = 2000, 32
	r.Repeats, r.Missing, r.Notes, r.Target.Embedded = 3, "shard 2/2 is missing", []string{"a note"}, true
	r.Stories = &result.DrawnStories{Seed: 7, Stories: 3, Requests: 99, Covered: 12, Kept: &result.KeptStories{Of: 3, Played: 2, Showed: 1, Apart: 1}}
	r.Choices = passing().Choices
	r.NotJudged = []result.NotJudged{{What: "rate limits", Needs: "--rate-limits", Rules: []string{"limits.rate.get"}}}
	r.Waivers = accepted().Waivers
	w := &r.Waivers[0]
	w.Status, w.Answer, w.Link = result.Fail, 500, "https://tasks.example/7"
	w.Consequences = 3
	w.EndsInDays, w.Intermittent = new(int), true
	for i := range r.Rules {
		for k := range r.Rules[i].Checks {
			if accepted := r.Rules[i].Checks[k].Waived; accepted != nil {
				accepted.Cause = "feed.status"
			}
		}
	}
	r.Shard = &result.Shard{Index: 1, Of: 2}
	r.Client = &result.Client{Command: "npm test", Runs: []result.ClientRun{{Surrounding: "uuid-ids", Exit: 1, Requests: 7, DurationMS: 8}},
		Breaches: &result.Breaches{Met: 3, Noticed: 2, NotMet: 1, Untried: []string{"feed-oldest-first"}, Earlier: 1, MinScore: 70}}
	r.Summary.Endpoints, r.Endpoints[0].Implemented = &result.EndpointCount{Implemented: 3, Missing: 19, Of: 22}, new(bool)
	r.Rules[0].Contract = []rules.Quote{{Where: "Errors, row 404", Text: "404"}}
	return r
}

// published are the formats that have a schema: each with the type that it
// describes, and with a document in which every key stands.
func published(t *testing.T) map[string]publication {
	t.Helper()
	return map[string]publication{
		"report": {"schema.json", reflect.TypeFor[result.Report](), asJSON(t, complete())},
		"diff":   {"diff.schema.json", reflect.TypeFor[result.Diff](), compared(t, "json", turned())},
		"drift":  {"drift.schema.json", reflect.TypeFor[result.FakeDrift](), drifted(t, completeDrift())},
	}
}

type publication struct {
	schema   string // its file
	of       reflect.Type
	complete string
}

func TestDiffsFollowTheSchema(t *testing.T) {
	schema := testkit.Schema(t, "diff.schema.json")
	for name, old := range everyReport() {
		for _, now := range []*result.Report{old, complete(), passing(), mixed()} {
			if err := schema.Validate(testkit.JSON(t, compared(t, "json", result.Compare(old, now)))); err != nil {
				t.Errorf("%s: %s", name, plain.Cut(err.Error(), 1000))
			}
		}
	}
}

func TestDriftsFollowTheSchema(t *testing.T) {
	schema := testkit.Schema(t, "drift.schema.json")
	for name, real := range everyReport() {
		for _, fake := range []*result.Report{real, complete(), passing(), mixed()} {
			if err := schema.Validate(testkit.JSON(t, drifted(t, result.DriftOf(real, fake)))); err != nil {
				t.Errorf("%s: %s", name, plain.Cut(err.Error(), 1000))
			}
		}
	}
	d := completeDrift()
	d.Differences[0].Kind = "unheard-of"
	if schema.Validate(testkit.JSON(t, drifted(t, d))) == nil {
		t.Error("the schema takes any kind")
	}
}

// completeDrift is a drift in which every key of the format stands, and every kind.
func completeDrift() *result.FakeDrift {
	d := result.DriftOf(passing(), failing())
	d.Differences, d.Untold, d.Shallow = nil, []string{"users.ids POST /0.2/users"}, true
	for _, kind := range result.DriftKinds() {
		d.Differences = append(d.Differences, result.Difference{Kind: kind, Rule: "a.rule", Endpoint: "GET /versions", What: "what", Real: "a", Fake: "b"})
	}
	return d
}

func drifted(t *testing.T, d *result.FakeDrift) string {
	t.Helper()
	var b strings.Builder
	if err := Drift(&b, "json", d, screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSchemasAllowMoreKeys(t *testing.T) {
	for name, p := range published(t) {
		document := testkit.JSON(t, p.complete)
		everyObject(document, "", func(place string, object map[string]any) {
			if !strings.HasSuffix(place, "/news") && !strings.HasSuffix(place, "tool/settings") && !anyKeys(object) {
				object["news"] = map[string]any{"a": nil}
			}
		})
		if err := testkit.Schema(t, p.schema).Validate(document); err != nil {
			t.Errorf("%s: %s", name, plain.Cut(err.Error(), 1000))
		}
	}
}

// anyKeys tells the maps whose keys are the target's or the run's.
func anyKeys(object map[string]any) bool {
	for _, value := range object {
		switch value.(type) {
		case json.Number, []any:
		default:
			return false
		}
	}
	return true
}

// everyObject visits the objects of a document with their places; indexes are left out.
func everyObject(value any, place string, visit func(place string, object map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		visit(place, v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			everyObject(v[key], place+"/"+key, visit)
		}
	case []any:
		for _, item := range v {
			everyObject(item, place+"/*", visit)
		}
	}
}

// Whatever key the model always writes must be missed when it is not there, and
// be noticed when it is of another type.
func TestSchemasNoticeWhatIsBroken(t *testing.T) {
	t.Parallel()
	for name, p := range published(t) {
		t.Run(name, func(t *testing.T) {
			required := map[string]bool{}
			requiredKeys(p.of, "", required)
			document := testkit.JSON(t, p.complete)
			tried := brokenKeys(t, testkit.Schema(t, p.schema), document, required)
			for at := range required {
				if !tried[at] {
					t.Errorf("the document of this test has no %s", at)
				}
			}
		})
	}
}

// brokenKeys takes each required key away and spells it wrong, at one place each,
// and tells which ones it has tried.
func brokenKeys(t *testing.T, schema *jsonschema.Schema, document any, required map[string]bool) map[string]bool {
	t.Helper()
	if err := schema.Validate(document); err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	everyObject(document, "", func(place string, object map[string]any) {
		for key, value := range maps.Clone(object) {
			at := place + "/" + key
			if !required[at] || tried[at] {
				continue
			}
			tried[at] = true
			delete(object, key)
			if schema.Validate(document) == nil {
				t.Errorf("%s is gone, and the schema does not mind", at)
			}
			object[key] = []any{true, json.Number("0.5"), nil}
			if schema.Validate(document) == nil {
				t.Errorf("%s is a list of anything, and the schema does not mind", at)
			}
			object[key] = value
		}
	})
	return tried
}

func decodeFile(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// A schema lists the keys of its model, no fewer and no others.
func TestSchemasListTheModelsKeys(t *testing.T) {
	for name, p := range published(t) {
		var root map[string]any
		decodeFile(t, p.schema, &root)
		compare(t, root, root, p.of, name)
	}
}

func TestSchemaKnowsTheStatuses(t *testing.T) {
	var root struct {
		Defs map[string]struct {
			Enum     []result.Status
			Required []result.Status
		} `json:"$defs"`
	}
	decodeFile(t, "schema.json", &root)
	want := fmt.Sprint(result.Statuses())
	if got := fmt.Sprint(root.Defs["status"].Enum); got != want {
		t.Errorf("the statuses are %s, in the schema %s", want, got)
	}
	if got := fmt.Sprint(root.Defs["counts"].Required); got != want {
		t.Errorf("counted are %s, in the schema %s", want, got)
	}
}

// A change may turn from and to every status, and to none.
func TestDiffSchemaKnowsTheStatuses(t *testing.T) {
	schema := testkit.Schema(t, "diff.schema.json")
	for _, s := range append(result.Statuses(), "") {
		d := turned()
		d.Broken[0].Old, d.Broken[0].New = s, s
		if err := schema.Validate(testkit.JSON(t, compared(t, "json", d))); err != nil {
			t.Errorf("%q: %s", s, plain.Cut(err.Error(), 1000))
		}
	}
	d := turned()
	d.Broken[0].New = "unheard-of"
	if schema.Validate(testkit.JSON(t, compared(t, "json", d))) == nil {
		t.Error("the schema takes any status")
	}
}
