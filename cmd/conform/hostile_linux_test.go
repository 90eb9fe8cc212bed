package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// fewestAnswers is how many a target must have given for a run to say something.
const fewestAnswers = 20

// dataLimit is what the operating system lets the judge map for its data, in KiB: an
// allocator asks for more than it fills.
const dataLimit = 400 << 10

// What the judge takes of an answer, in bytes and about that of values; and the fields of a user.
const (
	mostTaken  = 1 << 20
	mostValues = 48_000
	heavyUser  = `"id":1,"user_name":"ann","session_token":"token-of-a-strange-target"`
)

// heavy are answers that are as large as the judge takes, in many ways, and larger ones.
func heavy() map[string]string {
	const whole, values, user = mostTaken - 300, mostValues, heavyUser
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
			var answers atomic.Int64
			target := servePlain(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answers.Add(1)
				w.Header().Set("Content-Type", "application/json")
				answer := body
				switch {
				case r.URL.Path == "/versions":
					answer = `[{"version":"0.2","status":"CURRENT"}]`
				case r.Method == http.MethodPost:
					w.WriteHeader(http.StatusCreated)
				}
				unread := len(body) > mostTaken || strings.Contains(body, strings.Repeat("[", 2000))
				if unread && r.Method != http.MethodGet {
					answer = "{" + heavyUser + "}" // else the run ends before it has begun
				}
				_, _ = w.Write([]byte(answer)) // the judge may have hung up
			}))
			var used func() int64
			for _, timeout := range []string{"2s", "20s"} { // the longer one where the machine is busy
				judge := command(t, append(target, "--request-timeout", "5s", "--settle", "100ms", "--timeout", timeout, "--quiet", "--report", "json="+file(t, nil))...)
				limited := exec.CommandContext(t.Context(), "sh", append([]string{"-c", fmt.Sprintf(`ulimit -d %d && exec "$@"`, dataLimit), "sh"}, judge.Args...)...)
				limited.Env, limited.Args[4] = judge.Env, judge.Path
				answers.Store(0)
				used = measured(t, limited)
				finish(t, limited).wants(t, exitNonConformant, exitNoVerdict)
				t.Logf("%-20s %4d KiB an answer, %4d answers: the judge took %3d MiB", name, len(body)>>10, answers.Load(), used()>>10)
				if answers.Load() >= fewestAnswers {
					break
				}
			}
			if answers.Load() < fewestAnswers {
				t.Errorf("the judge asked %d times, want %d at least: it has not seen what the target sends", answers.Load(), fewestAnswers)
			}
			if used() > mostMemory {
				t.Errorf("the judge took %d KiB, want %d at most", used(), mostMemory)
			}
		})
	}
}
