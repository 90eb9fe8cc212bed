package report

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
)

const counts = `{"fail":0,"error":0,"unstable":0,"blocked":0,"warn":0,"waived":0,"pass":0,"observed":0,"skipped":0}`

// leastReport is a report of nothing.
const leastReport = `{"schema":"conform.report/v1","tool":{"version":"dev"},"target":{"base_url":"https://feeds.example"},"started_at":"2026-01-02T03:04:05Z",` +
	`"duration_ms":1,"seed":7,"fail_on":"must","verdict":"conformant","summary":{"rules":` + counts + `,"checks":` + counts + `,"requests":{}},"rules":[],"endpoints":[],"choices":[]}`

// with is leastReport with another text in the place of one of its own.
func with(t *testing.T, old, replacement string) string {
	t.Helper()
	if !strings.Contains(leastReport, old) {
		t.Fatalf("there is no %s", old)
	}
	return strings.Replace(leastReport, old, replacement, 1)
}

func TestReadJSONIgnoresUnknownKeys(t *testing.T) {
	r, err := ReadJSON(strings.NewReader(with(t, `"seed":7`, `"seed":7,"news":{"a":[1]}`) + "\n "))
	if err != nil || r.Seed != 7 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestReadJSONRefuses(t *testing.T) {
	t.Parallel()
	rule := func(text string) string { return with(t, `"rules":[]`, `"rules":[`+text+`]`) }
	for name, c := range map[string]struct{ text, want string }{
		"nothing":            {"", "it is empty"},
		"only space":         {" \n", "it is empty"},
		"no JSON":            {"<html>\n", "invalid character '<'"},
		"cut off":            {`{"schema":"conform.report/v1","rules":[`, "it is cut off"},
		"cut off in a text":  {`{"schema":"conform.rep`, "it is cut off"},
		"of a newer version": {`{"schema":"conform.report/v2"}`, "newer than this version"},
		"another schema":     {`{"schema":"conform.report/v0"}`, `"conform.report/v0", not "conform.report/v1"`},
		"another shape":      {`{"schema":"other/v1","rules":7}`, `"other/v1"`},
		"no report":          {`[1,2]`, `its schema is ""`},
		"missing keys":       {`{"schema":"conform.report/v1"}`, "missing properties"},
		"a wrong type":       {rule(`{"id":7}`), "at /rules/0"},
		"something after":    {leastReport + " {}", "something follows"},
		"a long schema":      {`{"schema":"` + strings.Repeat("x\\n", 500) + `"}`, "schema"},

		"a status of its own":       {with(t, `"verdict":"conformant"`, `"verdict":"splendid"`), "at /verdict"},
		"a negative count":          {with(t, `"duration_ms":1`, `"duration_ms":-1`), "at /duration_ms"},
		"a time that is none":       {with(t, "2026-01-02T03:04:05Z", "yesterday"), "at /started_at"},
		"an integer beyond int64":   {with(t, `"seed":7`, `"seed":1e30`), "seed"},
		"an endless exponent":       {with(t, `"seed":7`, `"seed":1e999999999`), "out of range"},
		"a number of many digits":   {with(t, `"seed":7`, `"seed":0.`+strings.Repeat("1", 1<<20)), "out of range"},
		"a key twice":               {with(t, `"seed":7`, `"seed":7,"seed":8`), `"seed" stands twice`},
		"a key in another spelling": {with(t, `"seed":7`, `"seed":7,"Rules":[{"status":"splendid"}]`), "Rules"},
		"a key in odd letters":      {with(t, `"seed":7`, `"seed":7,"ru\u017fes":1,"rule\u017f":[]`), "at /"},
		"a version of two lines":    {with(t, `"dev"`, `"dev\n::error::x"`), "at /tool/version"},
		"a rule that is none":       {rule(`{"id":"$(id)","level":"must","part":"x","statement":"x","source":"x","status":"pass","checks":[]}`), "at /rules/0/id"},
		"a file that is no text":    {"\x00\x01\x02\xff", "no JSON"},
	} {
		_, err := ReadJSON(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 500 {
			t.Errorf("%s: %.600v", name, err)
		}
	}
}

func TestReadJSONIsBounded(t *testing.T) {
	if _, err := readJSON(strings.NewReader(leastReport), int64(len(leastReport))); err != nil {
		t.Errorf("a report of just the size: %v", err)
	}
	for name, from := range map[string]string{"value": leastReport, "space behind it": leastReport + "   ", "long string": `{"schema":"` + strings.Repeat("x", 5000)} {
		if _, err := readJSON(strings.NewReader(from), int64(len(leastReport)-1)); err == nil || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// repeated reads a text again and again, and counts the bytes.
type repeated struct {
	text      string
	at, bytes int
}

func (r *repeated) Read(into []byte) (int, error) {
	n := copy(into, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	r.bytes += n
	return n, nil
}

// A report beyond any bound is refused before it takes the machine's memory: of 1 GiB, with a
// text of 100 MiB, of a million levels, or of more values than any report has.
func TestReportsBeyondTheBoundsTakeNoMemory(t *testing.T) {
	const mostTaken = 768 << 20 // bytes allocated in all, most of them freed again
	million := func(text string) io.Reader { return io.LimitReader(&repeated{text: text}, int64(len(text))*1_000_000) }
	for name, c := range map[string]struct {
		from io.Reader
		want string
	}{
		"1 GiB":               {io.LimitReader(&repeated{text: leastReport}, 1<<30), "larger than"},
		"1 GiB of blanks":     {io.LimitReader(&repeated{text: " "}, 1<<30), "larger than"},
		"a text of 100 MiB":   {io.MultiReader(strings.NewReader(`{"schema":"`), io.LimitReader(&repeated{text: "x"}, 100<<20), strings.NewReader(`"}`)), "larger than"},
		"levels":              {million("["), "more than 100 levels"},
		"levels of objects":   {million(`{"a":`), "more than 100 levels"},
		"values":              {io.MultiReader(strings.NewReader(`{"a":[`), million("[],[],[],"), strings.NewReader("1]}")), "more than 2000000 values"},
		"keys":                {io.MultiReader(strings.NewReader(`{"a":[`), million(`{"a":1,"b":1},`), strings.NewReader("1]}")), "more than 2000000 values"},
		"levels in its story": {strings.NewReader(with(t, `"seed":7`, `"seed":7,"news":`+strings.Repeat("[", 200)+strings.Repeat("]", 200))), "more than 100 levels"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadJSON(c.from)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > mostTaken {
			t.Errorf("%s: %d MiB were allocated", name, taken>>20)
		}
	}
}

// What is read follows the schema, as another reader of it sees it: keys that encoding/json would
// take for others are none that pass.
func FuzzReadReportsFollowTheSchema(f *testing.F) {
	schema := testkit.Schema(f, "schema.json")
	f.Add([]byte(leastReport))
	for _, old := range []string{`"seed":7`, `"rules":[]`, `"checks"`} {
		for _, replacement := range []string{`"Seed":7`, `"seed":7,"SEED":"x"`, `"rules":[{}],"rules":[]`, `"rules":[],"RULES":[{"status":"x"}]`, `"Checks"`} {
			f.Add([]byte(strings.Replace(leastReport, old, replacement, 1)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadJSON(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		if err := schema.Validate(testkit.JSON(t, string(data))); err != nil {
			t.Errorf("the text does not follow the schema: %s", plain.Cut(err.Error(), 1000))
		}
		// What the commands work on does, too: where the text left an optional map out, it is null.
		if err := schema.Validate(testkit.JSON(t, asJSON(t, r))); err != nil {
			t.Errorf("what was read does not follow the schema: %s", plain.Cut(err.Error(), 1000))
		}
	})
}

// A report as its schema has it is read, whatever texts a target has put into it.
func TestHostileTextsAreNoReasonToRefuse(t *testing.T) {
	t.Parallel()
	for name, r := range everyReport() {
		if _, err := ReadJSON(strings.NewReader(asJSON(t, r))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var whole result.Report
	if err := json.Unmarshal([]byte(leastReport), &whole); err != nil || fmt.Sprint(whole.Verdict) != "conformant" {
		t.Error(err)
	}
}
