package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// dataLimit is what the operating system lets the judge map for its data, in KiB: an
// allocator asks for more than it fills.
const dataLimit = 400 << 10

// heavy are answers that are as large as the judge takes, in many ways, and larger ones.
func heavy() map[string]string {
	const whole, values = 1<<20 - 300, 48_000
	user := `"id":1,"user_name":"ann","session_token":"token-of-a-strange-target"`
	fill := func(unit string) string {
		each := 1 + strings.Count(unit, "{") + strings.Count(unit, "[") + strings.Count(unit, ":") + strings.Count(unit, ",")
		list := strings.Repeat(unit+",", min(whole/(len(unit)+1), values/each))
		return list + `"` + strings.Repeat("y", max(0, whole-len(list)-2)) + `"`
	}
	var keys strings.Builder
	for i := range values / 2 {
		fmt.Fprintf(&keys, `"%d":1,`, i)
	}
	return map[string]string{
		"objects":           `{` + user + `,"x":[` + fill("{}") + `]}`,
		"arrays":            `{` + user + `,"x":[` + fill("[]") + `]}`,
		"one string":        `{` + user + `,"x":"` + strings.Repeat("x", whole) + `"}`,
		"escapes":           `{` + user + `,"x":"` + strings.Repeat(`\u0001`, whole/6) + `"}`,
		"keys":              `{` + user + `,"x":{` + keys.String() + `"z":1}}`,
		"a list of users":   `[` + fill(`{`+user+`}`) + `]`,
		"9,000 levels":      `{` + user + `,"x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
		"4 MiB, 2 M values": `{` + user + `,"x":[` + strings.Repeat("1,", 2<<20) + `1]}`,
	}
}

// TestMemoryUnderHeavyAnswers judges targets whose every answer is large: the judge ends
// by itself under a limit of the operating system, and takes little.
func TestMemoryUnderHeavyAnswers(t *testing.T) {
	t.Parallel()
	for name, body := range heavy() {
		t.Run(name, func(t *testing.T) {
			target := servePlain(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				answer := body
				switch {
				case r.URL.Path == "/versions":
					answer = `[{"version":"0.2","status":"CURRENT"}]`
				case r.Method == http.MethodPost:
					w.WriteHeader(http.StatusCreated)
				}
				_, _ = w.Write([]byte(answer)) // the judge may have hung up
			}))
			judge := command(t, append(target, "--request-timeout", "5s", "--settle", "100ms", "--timeout", "2s", "--quiet", "--report", "json="+file(t, nil))...)
			limited := exec.CommandContext(t.Context(), "sh", append([]string{"-c", fmt.Sprintf(`ulimit -d %d && exec "$@"`, dataLimit), "sh"}, judge.Args...)...)
			limited.Env, limited.Args[4] = judge.Env, judge.Path
			o := finish(t, limited)
			o.wants(t, exitNonConformant, exitNoVerdict)
			used := memory(t, limited)
			t.Logf("%-20s %4d KiB of every answer: the judge took %3d MiB", name, len(body)>>10, used>>10)
			if used > mostMemory {
				t.Errorf("the judge took %d KiB, want %d at most", used, mostMemory)
			}
		})
	}
}
