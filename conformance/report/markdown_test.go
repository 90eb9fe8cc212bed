package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestMarkdownGolden(t *testing.T) {
	for name, r := range fixtures() {
		t.Run(name, func(t *testing.T) { golden(t, name+".md", writtenAs(t, "markdown", r)) })
	}
}

// many is a report in which so many rules are broken, each with evidence.
func many(n int) *result.Report {
	var rs []result.Rule
	for i := range n {
		rs = append(rs, newRule(fmt.Sprintf("users.number-%d", i), rules.Must,
			broken(rules.GetMe, result.Fail, "200 OK", 500, strings.Repeat("x", 700))))
	}
	return newReport(result.NonConformant, rs)
}

func TestMarkdownStaysBelowItsBound(t *testing.T) {
	all := everyReport()
	for _, n := range []int{20, 100, 1000} {
		all[fmt.Sprint(n, " failures")] = many(n)
	}
	for name, r := range all {
		if got := writtenAs(t, "markdown", r); len(got) >= 64<<10 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

// Every failure is told with its evidence, told without, or counted.
func TestMarkdownCountsWhatItLeavesOut(t *testing.T) {
	for _, n := range []int{1, 20, 100, 1000} {
		got := writtenAs(t, "markdown", many(n))
		full, brief := strings.Count(got, "<summary>❌ "), strings.Count(got, "\n- `users.number-")
		bare, left := number(got, `evidence of (\d+) rules?`), number(got, `And (\d+) more`)
		if full == 0 || brief != bare || full+brief+left != n {
			t.Errorf("of %d failures, %d are told, %d without evidence (%d counted), %d left out", n, full, brief, bare, left)
		}
		if n == 1000 && (brief == 0 || left == 0) {
			t.Errorf("%d without evidence, %d left out", brief, left)
		}
	}
}

func number(s, pattern string) int {
	found := regexp.MustCompile(pattern).FindStringSubmatch(s)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

// outsideCode is what is left of a Markdown text without its fences, code spans
// and code tags. It reads them as CommonMark does: a fence ends with as many
// ticks as it began with, a span with exactly as many.
func outsideCode(t *testing.T, s string) string {
	t.Helper()
	var left strings.Builder
	fence := ""
	for line := range strings.SplitSeq(s, "\n") {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if len(ticks) >= len(fence) && strings.TrimSpace(line) == ticks {
				fence = ""
			}
		case len(ticks) >= 3 && !strings.Contains(line[len(ticks):], "`"):
			fence = ticks
		default:
			left.WriteString(withoutSpans(line) + "\n")
		}
	}
	if fence != "" {
		t.Error("a fence is left open")
	}
	return regexp.MustCompile(`<code>[^<]*</code>`).ReplaceAllString(left.String(), "")
}

func withoutSpans(line string) string {
	var left strings.Builder
	for {
		start := strings.IndexByte(line, '`')
		if start < 0 {
			return left.String() + line
		}
		left.WriteString(line[:start])
		rest := strings.TrimLeft(line[start:], "`")
		ticks := len(line) - start - len(rest)
		end := spanEnd(rest, ticks)
		if end < 0 {
			return left.String() + line[start:]
		}
		line = rest[end:]
	}
}

func spanEnd(s string, ticks int) int {
	for i := 0; i < len(s); {
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == ticks {
			return i + run
		}
		i += max(run, 1)
	}
	return -1
}

func TestTargetCannotWriteMarkdown(t *testing.T) {
	for name, text := range hostileTexts() {
		got := writtenAs(t, "markdown", hostile(text))
		if !strings.Contains(got, "EVIL") {
			t.Errorf("%s: what the target said is not told", name)
		}
		outside := outsideCode(t, got)
		if i := strings.Index(outside, "EVIL"); i >= 0 {
			t.Errorf("%s: it stands outside of code: %q", name, outside[max(0, i-80):min(len(outside), i+80)])
		}
		for _, tag := range []string{"details", "summary"} {
			if opened, closed := strings.Count(outside, "<"+tag+">"), strings.Count(outside, "</"+tag+">"); opened == 0 || opened != closed {
				t.Errorf("%s: %d <%s> and %d </%[3]s>", name, opened, tag, closed)
			}
		}
	}
}

// Every row of a table has as many cells as its heading.
func TestMarkdownTables(t *testing.T) {
	all := fixtures()
	bars := failing()
	bars.Endpoints[3].Path = `/a|b\|c`
	all["bars"] = bars
	for name, r := range all {
		bars, rows := 0, 0
		for line := range strings.SplitSeq(writtenAs(t, "markdown", r), "\n") {
			n := strings.Count(line, "|")
			if !strings.HasPrefix(line, "|") {
				bars = 0
				continue
			}
			if bars == 0 {
				bars = n
			}
			if rows++; n != bars {
				t.Errorf("%s: %d bars instead of %d: %s", name, n, bars, line)
			}
		}
		if rows < 3 {
			t.Errorf("%s: %d rows", name, rows)
		}
	}
}
