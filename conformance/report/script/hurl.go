package script

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/program/hurl"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/shell"
)

// hurlFile writes a file for Hurl, whose last assertion fails where the target has the
// failure. Hurl cannot compare bodies that vary from run to run, so a failure that the
// status does not show is an error: other forms show it.
func hurlFile(p *plot) (string, error) {
	if !p.byStatus() {
		return "", fmt.Errorf("the failure of %s does not show in a status alone, which is what Hurl can tell: write it as %s", p.rule.ID, Shell)
	}
	p = p.filled()
	f := &hurl.File{}
	f.Comment("Shows how ", plain.Line(p.rule.ID), " (", plain.Line(string(p.rule.Level)), ") is broken at ", plain.Line(p.check.Endpoint), ", with Hurl.")
	f.Comment("The rule: ", plain.Line(p.rule.Statement))
	f.Comment("It fails at its last assertion where the failure is there: expected ", p.expected(), "; got ", p.actual())
	f.Comment("Run: ", p.hurlCommand())
	farewell := p.farewell()
	steps := append(slices.Clone(p.Steps), farewell...)
	for i, step := range steps {
		if why := misfit(step); why != "" {
			return "", fmt.Errorf("request %d of the story of %s %s: write it as %s", i+1, p.rule.ID, why, Shell)
		}
		decides := i == len(p.Steps)-1
		if decides {
			step.Captures = nil
		}
		request := requestOf(step)
		if why := request.Misfit(); why != "" {
			return "", fmt.Errorf("request %d of the story of %s %s: write it as %s", i+1, p.rule.ID, why, Shell)
		}
		if err := f.Request(request); err != nil {
			return "", err
		}
		if decides && len(farewell) > 0 {
			f.KeepStatus()
		}
	}
	f.Unlike(len(farewell) > 0, p.Answer.Status, p.expected())
	return f.String(), nil
}

func uses(p *plot, variable string) bool {
	return slices.ContainsFunc(p.Sent(), func(piece result.Piece) bool { return result.WordOf(piece.Var) == variable })
}

// hurlCommand is the command that runs the file.
func (p *plot) hurlCommand() string {
	words := append(plain.Constants("--test", "--variable"), plain.Word("base_url="+p.baseURL), shell.Plain("--variable"), shell.Lit("app_token=TOKEN"))
	if uses(p, secondAppToken) {
		words = append(words, shell.Plain("--variable"), shell.Lit("second_app_token=TOKEN"))
	}
	if p.insecure() {
		words = append(words, shell.Plain("--insecure"))
	}
	if authority := p.authority(); authority != "" {
		words = append(words, shell.Plain("--cacert"), plain.Path(authority))
	}
	return shell.MustLine(shell.Call("hurl", append(words, shell.Plain("FILE"))...))
}
