package view

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Verdict is the verdict in words.
type Verdict struct {
	Verdict      result.Verdict
	Title        string        // as a heading
	Words        string        // as people say it
	Aside        string        // what follows the words where there is room
	Status       result.Status // whose symbol and colour it has; skipped for an unknown verdict
	Color        string        // behind white text, with a contrast of at least 4.5
	Sentence     string
	Kept, Judged int // the rules that gate: how many the target keeps, of those to be judged
}

// NewVerdict is a verdict without its sentence and counts.
func NewVerdict(v result.Verdict) Verdict {
	shown := Verdict{Verdict: v, Color: "#8a5a00"}
	switch v {
	case result.Conformant:
		shown.Title, shown.Status, shown.Color = "Conformant", result.Pass, "#2b7a30"
	case result.NonConformant:
		shown.Title, shown.Status, shown.Color = "Not conformant", result.Fail, "#b3261e"
	case result.Incomplete:
		shown.Title, shown.Status, shown.Aside = "No verdict", result.Warn, " (incomplete)"
	default:
		shown.Title, shown.Status = plain.Cut(plain.Line(string(v)), 40), result.Skipped
		shown.Words = shown.Title
		return shown
	}
	shown.Words = strings.ToLower(shown.Title)
	return shown
}

// byClaims has the verdict say what it is about, where that is a part of the contract.
func (v *Verdict) byClaims(r *result.Report) {
	if r.Claims == nil || r.Verdict != result.Conformant && r.Verdict != result.NonConformant {
		return
	}
	of := " to what it claims: " + plain.Short(r.Claims.String())
	v.Title, v.Words = v.Title+of, v.Words+of
}

// Begin is the beginning of the sentence, as much as fits into the given columns.
func (v Verdict) Begin(room int) string {
	begin, rest, more := strings.Cut(strings.TrimSuffix(v.Sentence, "."), "; ")
	for more {
		var next string
		if next, rest, more = strings.Cut(rest, "; "); plain.Columns(begin+next)+2 > room {
			break
		}
		begin += "; " + next
	}
	return plain.Clip(begin, room, 1)[0]
}

func (v *View) verdict(r *result.Report) Verdict {
	verdict := NewVerdict(r.Verdict)
	verdict.byClaims(r)
	verdict.Sentence = v.sentence(r)
	verdict.ofTests(r)
	for _, rule := range v.Rules {
		binds := rule.Level == rules.Must || rule.Level == rules.Should && r.FailOn == rules.Should
		if !binds || rule.Status == result.Skipped {
			continue
		}
		verdict.Judged++
		if holds := rule.Status == result.Pass || rule.Status == result.Warn; holds && !rule.Gates {
			verdict.Kept++
		}
	}
	return verdict
}

// ruleCount counts the rules of a report.
type ruleCount struct {
	broken, judged, leftOut int                   // leftOut by a person's wish
	others                  map[result.Status]int // those that are not broken
	alone                   bool                  // no drawn story was played
}

func (v *View) count() ruleCount {
	n := ruleCount{others: map[result.Status]int{}}
	for _, rule := range v.Rules {
		switch {
		case rule.Status != result.Skipped:
			n.judged++
		case !rules.Lacking(rule.Message):
			n.leftOut++
		}
		if rule.Gates {
			n.broken++
		} else {
			n.others[rule.Status]++
		}
	}
	return n
}

func (n ruleCount) unjudged() int { return n.others[result.Blocked] + n.others[result.Error] }

// sentence says why the verdict is what it is.
func (v *View) sentence(r *result.Report) string {
	n, idle, ending := v.count(), 0, 0
	for _, w := range r.Waivers {
		if w.State.Gates() {
			idle++
		}
		if w.EndsInDays != nil {
			ending++
		}
	}
	n.alone = r.Client == nil && (r.Stories == nil || r.Stories.Stories == 0)
	said := []string{n.sentence()}
	also := func(holds bool, format string, args ...any) {
		if holds {
			said = append(said, fmt.Sprintf(format, args...))
		}
	}
	also(len(r.NotJudged) > 0, "not judged: %s", notJudged(r.NotJudged))
	if e := r.Summary.Endpoints; e != nil {
		also(e.Missing > 0, "%s", e.NotImplemented())
	}
	also(n.unjudged() > 0, "%s could not be judged", result.Plural(n.unjudged(), "rule"))
	also(n.others[result.Warn] > 0, "%s got a warning", result.Plural(n.others[result.Warn], "rule"))
	also(r.EndedBy != "", "the run ended early: %s", plain.Short(r.EndedBy))
	also(n.others[result.Unstable] > 0, "%s came out differently when repeated", result.Plural(n.others[result.Unstable], "rule"))
	also(n.others[result.Waived] > 0, "deviations from %s are waived", result.Plural(n.others[result.Waived], "rule"))
	also(idle == 1, "1 waiver does not hold")
	also(idle > 1, "%d waivers do not hold", idle)
	also(ending == 1, "1 waiver ends within two weeks")
	also(ending > 1, "%d waivers end within two weeks", ending)
	also(r.Missing != "", "a part of the run is missing")
	also(r.Target.Embedded, "the target is the reference server that conform starts by itself")
	sentence := strings.Join(said, "; ")
	return strings.ToUpper(sentence[:1]) + sentence[1:] + "."
}

// sentence says how many rules are broken and, where some were left out, of how many.
func (n ruleCount) sentence() string {
	switch {
	case n.broken == 1:
		return "1 rule is broken"
	case n.broken > 1:
		return fmt.Sprintf("%d rules are broken", n.broken)
	case n.others[result.Unstable] > 0:
		return "nothing failed each time"
	case n.unjudged() > 0:
		return "nothing failed"
	case n.leftOut > 0 && n.judged == 1:
		return "the one rule that was judged is not broken" + n.where("its")
	case n.leftOut > 0:
		return fmt.Sprintf("no rule is broken of the %d that were judged", n.judged) + n.where("their")
	}
	return "no rule is broken"
}

// where says that a part of the rules was judged without drawn stories, which may show more.
func (n ruleCount) where(whose string) string {
	if !n.alone {
		return ""
	}
	return ", in " + whose + " own scenarios; a whole run also plays drawn stories"
}

// notJudged names what was not judged.
func notJudged(all []result.NotJudged) string {
	var names []string
	for _, each := range all {
		names = append(names, plain.Short(each.What))
	}
	return strings.Join(names, ", ")
}

// Count is the verdict with how many of the rules that gate the target keeps.
func (v Verdict) Count() string { return fmt.Sprintf("%s %d/%d", v.Words, v.Kept, v.Judged) }
