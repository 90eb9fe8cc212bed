package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// comparison compares the fake under some flags with the fake under others.
func comparison(t *testing.T, old, now string, flags ...string) (*result.Diff, outcome) {
	t.Helper()
	o := conform(t, append(append([]string{"compare", "--format", "json", "--quiet"}, flags...), fakeCommand(old), fakeCommand(now))...)
	d := new(result.Diff)
	if err := json.Unmarshal([]byte(o.stdout), d); err != nil {
		t.Fatalf("exit %d: %v\n%s\n%s", o.code, err, o.stdout, o.stderr)
	}
	return d, o
}

// fakeCommand starts the fake for --exec.
func fakeCommand(flags string) string {
	return "exec " + program("refserver") + ` --http --control off --log off --rate-limit 0 --addr 127.0.0.1:$PORT --app-token "$APP_TOKEN" ` + flags
}

// Nothing is different between a server and itself. How long answers take is the machine's.
func TestAServerIsLikeItself(t *testing.T) {
	t.Parallel()
	d, o := comparison(t, "", "")
	d.Traffic.Slower = nil
	if o.wants(t, exitConformant); !d.Empty() {
		t.Errorf("%s", o.stdout)
	}
}

// Another dialect breaks nothing: its choices are listed, and what no rule asks about.
func TestOtherChoicesOfAServerAreListed(t *testing.T) {
	t.Parallel()
	d, o := comparison(t, "", "--dialect terse", "--part", "users,events")
	o.wants(t, exitNonConformant)
	if len(d.Broken)+len(d.Mended) > 0 || len(d.Drift) != 2 {
		t.Errorf("broken %v, mended %v, choices %v", d.Broken, d.Mended, d.Drift)
	}
	told := o.stdout
	for _, says := range []string{`"users.get.email-visible"`, `"events.create.object-url"`, `"old": "403",`, `"new": "404"`, `"field": "$.object.url"`} {
		if !strings.Contains(told, says) {
			t.Errorf("%s is not told:\n%s", says, told)
		}
	}
}

// New fields are allowed within a version: nobody has to act.
func TestNewFieldsAreAllowed(t *testing.T) {
	t.Parallel()
	d, o := comparison(t, "", "--choose further-fields=true", "--part", "users")
	o.wants(t, exitConformant)
	if d.Noticeable() || len(d.Traffic.Fields) == 0 {
		t.Errorf("%s", o.stdout)
	}
}

// A rule that is newly broken is blamed once, and mended where the sides change.
func TestANewlyBrokenRuleIsListed(t *testing.T) {
	t.Parallel()
	const rule = "users.create.enabled"
	d, o := comparison(t, "", "--fault users-create-not-enabled", "--rule", rule)
	if o.wants(t, exitNonConformant); len(d.Broken) != 1 || d.Broken[0].Rule != rule {
		t.Errorf("broken %v", d.Broken)
	}
	d, o = comparison(t, "--fault users-create-not-enabled", "", "--rule", rule)
	if o.wants(t, exitConformant); len(d.Mended) != 1 || d.Mended[0].Rule != rule {
		t.Errorf("mended %v", d.Mended)
	}
	markdown := conform(t, "compare", "--format", "markdown", "--quiet", "--rule", rule, fakeCommand(""), fakeCommand("--fault users-create-not-enabled"))
	if !strings.Contains(markdown.stdout, "### Newly broken: 1") || !strings.Contains(markdown.stdout, "`"+rule+"`") {
		t.Errorf("exit %d:\n%s\n%s", markdown.code, markdown.stdout, markdown.stderr)
	}
}

// The screen of a comparison whose servers take a moment to start names no flag that nobody gave, and has nothing
// else than what was compared and how it came out.
func TestTheScreenOfCompare(t *testing.T) {
	t.Parallel()
	slow := "sleep 1.5; " + fakeCommand("")
	o := conform(t, "compare", "--rule", "versions.status", slow, slow)
	o.wants(t, exitConformant)
	const waiting = "waiting up to 30s for its server to answer\n"
	if want := "judging the old target\n" + waiting + "judging the new target\n" + waiting; o.stderr != want {
		t.Errorf("stderr is\n%s\nwant\n%s", o.stderr, want)
	}
	lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "old  conformant  http://127.0.0.1:") || !strings.HasPrefix(lines[1], "new  conformant  http://127.0.0.1:") ||
		lines[2] != "" || !strings.HasPrefix(lines[3], "  Nothing became different: ") {
		t.Errorf("stdout is\n%s", o.stdout)
	}
	ended := conform(t, "compare", "exit 7", "exit 7")
	if ended.wants(t, exitNoVerdict); !strings.Contains(ended.stderr, "the old target: its server ended: exit code 7") || strings.Contains(ended.stderr, "--exec") {
		t.Error(ended.stderr)
	}
}

// URLs are compared as well, each with a token of its own.
func TestTargetsByURLAreCompared(t *testing.T) {
	t.Parallel()
	old := servePlain(t, reference(t, nil))
	now := startRefserver(t, "--app-token", "another-token-for-the-new-target")
	o := conform(t, "compare", "--rule", "feed.order", "--allow-http", "--app-token", appToken, "--new-app-token", "another-token-for-the-new-target", old[1], now)
	if o.wants(t, exitConformant); strings.Contains(o.stdout+o.stderr, "another-token") || !strings.Contains(o.stdout, "Nothing became different") {
		t.Errorf("%s\n%s", o.stdout, o.stderr)
	}
}

func TestUsageOfCompare(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		code int
		says string
	}{
		"one target": {[]string{"true"}, exitUsage, "two targets"},
		"format":     {[]string{"--format", "html", "true", "true"}, exitUsage, "--format takes"},
		"no server":  {[]string{"--wait", "1s", "exit 7", "exit 7"}, exitNoVerdict, "the old target"},
		"no rule":    {[]string{"--rule", "no.such", "true", "true"}, exitUsage, "no.such"},
	} {
		o := conform(t, append([]string{"compare"}, tc.args...)...)
		if o.code != tc.code || !strings.Contains(o.stderr, tc.says) {
			t.Errorf("%s: exit %d: %s", name, o.code, o.stderr)
		}
	}
}

// keeping starts the fake with a file in the folder that compare gives it.
func keeping(flags string) string { return fakeCommand(`--data "$DATA/feed" ` + flags) }

// An upgrade to the same server is none that clients notice; one that loses something is told, in each
// format.
func TestUpgradesAreCompared(t *testing.T) {
	t.Parallel()
	few := []string{"compare", "--upgrade", "--quiet", "--rule", "versions.status", "--seed", "1"}
	sound := conform(t, append(few, keeping(""), keeping("--choose further-fields=true"))...)
	if sound.wants(t, exitConformant); !strings.Contains(sound.stdout, "new fields") || !strings.Contains(sound.stdout, "answers of the new version") {
		t.Errorf("%s\n%s", sound.stdout, sound.stderr)
	}
	lossy := conform(t, append(few, "--format", "markdown", keeping(""), keeping("--data-fault index-of-users-not-rebuilt"))...)
	if lossy.wants(t, exitNonConformant); !strings.Contains(lossy.stdout, "### Upgrade: what was there is different: 1") || !strings.Contains(lossy.stdout, "`GET /0.2/users/search`") {
		t.Errorf("%s\n%s", lossy.stdout, lossy.stderr)
	}
}

func TestUsageOfUpgrade(t *testing.T) {
	t.Parallel()
	conform(t, "compare", "--upgrade", "http://127.0.0.1:1", "true").says(t, exitUsage, "two commands")
	conform(t, "compare", "--upgrade", "--new-app-token", "another", "true", "true").says(t, exitUsage, "same")
	conform(t, "compare", "--upgrade", "--wait", "1s", "exit 7", "exit 7").says(t, exitNoVerdict, "the old version")
	conform(t, "compare", "--upgrade", "--quiet", fakeCommand(""), fakeCommand("")).says(t, exitNoVerdict, "DATA")
}
