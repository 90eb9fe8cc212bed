package conformance

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
)

// Story adds a scenario that replays a drawn story which showed a violation once, in the form
// that reports and conform keep store it: it judges the rule that was blamed.
func (s *Suite) Story(text, saved string) {
	kept, err := story.ParseCorpusEntry([]byte(saved))
	if err != nil {
		s.errors = append(s.errors, fmt.Errorf("scenario %q: %w", text, err))
		return
	}
	s.add(&scenario{text: text, coverage: CoversAt(kept.Endpoint, kept.Rule), body: func(t *T) { t.replayStory(kept, saved) }})
}

// KeptStory is Story, but for a story whose rule has another name by now: it is left out.
func (s *Suite) KeptStory(text, saved string) {
	if kept, err := story.ParseCorpusEntry([]byte(saved)); err == nil {
		if _, known := s.catalogue.Rule(kept.Rule); !known {
			return
		}
	}
	s.Story(text, saved)
}

// replayStory plays a saved story, and judges its rule. Its check has the story, for another replay.
func (t *T) replayStory(kept *story.CorpusEntry, story string) {
	j := explore.KeptJob(kept)
	applications := max(j.Story.Apps, 1)
	if applications > t.run.applications() {
		t.Skip("%s", rules.Needs(t.run.called(setting.SecondApp)))
	}
	options := play.Options{Settle: t.run.config.Settle, Lag: t.run.Lagged(), AwaitRecords: true, Hold: t.run.config.Hold, Pause: wire.Pause}
	options, err := t.probeChoices(options, applications)
	if err != nil {
		panic(unjudged(err))
	}
	player := play.NewPlayer(&modelTarget{t: t}, options)
	o, ended := j.Play(t.ctx, player)
	t.JudgeAt(kept.Endpoint, kept.Rule, func(c *Check) {
		c.story = []byte(story)
		for _, d := range o.Differences {
			d, err := player.BlameIsolation(t.ctx, j.Story, d)
			if err != nil {
				panic(unjudged(err))
			}
			if place, known := t.run.placeOf(d); !known || place != (rules.Place{Rule: kept.Rule, At: kept.Endpoint}) {
				continue
			}
			c.exchanges = exchangesOf(d)
			if n := len(c.exchanges); n > 0 {
				t.lastUsed = c.exchanges[n-1]
			}
			c.Fail(explore.UsersFromOne(d.Expected), explore.UsersFromOne(d.Actual))
		}
		if ended != nil {
			panic(unjudged(ended))
		}
	})
}
