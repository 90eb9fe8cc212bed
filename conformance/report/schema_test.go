package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/socialfeed/conform/conformance"
)

// compiled is a JSON Schema, which must follow the schema of schemas itself.
func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestReportsFollowTheSchema(t *testing.T) {
	schema := compiled(t, Schema())
	all := everyReport()
	all["kept"] = keeping()
	for name, r := range all {
		if err := schema.Validate(decoded(t, asJSON(t, r))); err != nil {
			t.Errorf("%s: %s", name, cut(err.Error(), 1000))
		}
	}
}

// complete is a report in which every key of the format stands.
func complete() *conformance.Report {
	r := keeping()
	all := []*conformance.Report{failing(), blockedRun(), accepted(), passing()}
	for _, other := range all {
		r.Rules = append(r.Rules, other.Rules...)
	}
	c := &r.Rules[0].Checks[0]
	c.Seen, c.Broken = 7, 2
	r.Repeats, r.Missing, r.Notes, r.Target.Embedded = 3, "shard 2/2 is missing", []string{"a note"}, true
	r.Choices = passing().Choices
	r.Waivers = accepted().Waivers
	w := &r.Waivers[0]
	w.Status, w.Answer, w.Link = conformance.Fail, 500, "https://tasks.example/7"
	r.Shard = &conformance.ShardReport{Index: 1, Of: 2, EndedBy: "the target stopped answering"}
	return r
}

func TestSchemaAllowsMoreKeys(t *testing.T) {
	schema := compiled(t, Schema())
	report := decoded(t, asJSON(t, complete()))
	everyObject(report, "", func(place string, object map[string]any) {
		if !strings.HasSuffix(place, "/news") && !anyKeys(object) {
			object["news"] = map[string]any{"a": nil}
		}
	})
	if err := schema.Validate(report); err != nil {
		t.Error(cut(err.Error(), 1000))
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
func TestSchemaNoticesWhatIsBroken(t *testing.T) {
	schema := compiled(t, Schema())
	required := map[string]bool{}
	requiredKeys(reflect.TypeFor[conformance.Report](), "", required)
	report := decoded(t, asJSON(t, complete()))
	if err := schema.Validate(report); err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	everyObject(report, "", func(place string, object map[string]any) {
		for key, value := range maps.Clone(object) {
			at := place + "/" + key
			if !required[at] || tried[at] {
				continue
			}
			tried[at] = true
			delete(object, key)
			if schema.Validate(report) == nil {
				t.Errorf("%s is gone, and the schema does not mind", at)
			}
			object[key] = []any{true, json.Number("0.5"), nil}
			if schema.Validate(report) == nil {
				t.Errorf("%s is a list of anything, and the schema does not mind", at)
			}
			object[key] = value
		}
	})
	for at := range required {
		if !tried[at] {
			t.Errorf("the report of this test has no %s", at)
		}
	}
}

// The schema lists the keys of the model, no fewer and no others.
func TestSchemaListsTheModelsKeys(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	compare(t, root, root, reflect.TypeFor[conformance.Report](), "report")
}

func TestSchemaKnowsTheStatuses(t *testing.T) {
	var root struct {
		Defs map[string]struct {
			Enum     []conformance.Status
			Required []conformance.Status
		} `json:"$defs"`
	}
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint(conformance.Statuses())
	if got := fmt.Sprint(root.Defs["status"].Enum); got != want {
		t.Errorf("the statuses are %s, in the schema %s", want, got)
	}
	if got := fmt.Sprint(root.Defs["counts"].Required); got != want {
		t.Errorf("counted are %s, in the schema %s", want, got)
	}
}

// Nobody who is given the schema can change it for others.
func TestSchemaIsACopy(t *testing.T) {
	clear(Schema())
	compiled(t, Schema())
}
