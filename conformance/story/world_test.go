package story

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// known are the choices of a friendly target.
func known() Choices {
	return Choices{FriendsAtOnce: Yes, KindsStand: Yes, EndsWhole: Yes, Concurrent: Yes, LogoutKeeps: Yes, UpdateKeeps: Yes, KeepsUser: Yes, KeepsEvent: Yes, MergesMetadata: No, NamesRecur: Yes, SocialConnects: Yes, OmitsZeros: No}
}

func shape() Shape {
	return Shape{Name: "test", Users: 5, Budget: Cost{60, 90, 40}, Views: 3, Events: 4, Follows: 2, Sessions: 3, Races: 3, Late: 0.6, Deleted: 1}
}

// TestEqualSeedsGiveEqualStories generates stories twice: nothing but the seed chooses.
func TestEqualSeedsGiveEqualStories(t *testing.T) {
	texts := map[string]bool{}
	for _, seed := range []uint64{1, 2, 1, 2} {
		text, err := json.Marshal(NewGenerator(seed, []Choices{known()}, nil).Story(shape()))
		if err != nil {
			t.Fatal(err)
		}
		texts[string(text)] = true
	}
	if len(texts) != 2 {
		t.Errorf("two seeds give %d stories", len(texts))
	}
}

// TestStoriesStayWithinTheirBudget generates stories of several seeds and sizes: what a dry run counts
// must fit into what the story may take.
func TestStoriesStayWithinTheirBudget(t *testing.T) {
	for seed := range uint64(5) {
		for _, budget := range []Cost{{40, 60, 30}, {90, 150, 60}} {
			s := shape()
			s.Budget = budget
			drawn := NewGenerator(seed, []Choices{known()}, nil).Story(s)
			const more = 12 // of the ending, which is estimated
			if cost := drawn.Cost([]Choices{known()}); !cost.Within(budget.Plus(Cost{more, more, more})) {
				t.Errorf("seed %d: a story within %+v takes %+v", seed, budget, cost)
			}
			if len(drawn.Steps) < budget.Writes/2 {
				t.Errorf("seed %d: a story within %+v has %d steps", seed, budget, len(drawn.Steps))
			}
		}
	}
}

// TestStoriesExerciseEveryAction generates a few stories: each action of the table must be among their
// steps, or the table has one that nobody tries.
func TestStoriesExerciseEveryAction(t *testing.T) {
	seen := map[string]bool{}
	g := NewGenerator(1, []Choices{known(), known()}, nil)
	for _, apps := range []int{1, 1, 2} {
		s := shape()
		s.Apps, s.Waits, s.Budget = apps, 1, Cost{140, 320, 60}
		for _, step := range g.Story(s).Steps {
			seen[step.Do] = true
		}
	}
	for _, a := range actions() {
		if !seen[a.Name] {
			t.Errorf("no story has the action %q", a.Name)
		}
	}
}

// TestSavedStoriesReadBack saves a story and reads it: nothing is lost, numbers stay as they are
// written, and what was saved in another format is refused in a sentence.
func TestSavedStoriesReadBack(t *testing.T) {
	drawn := NewGenerator(3, []Choices{known()}, nil).Story(shape())
	f := Finding{Story: drawn, Difference: Difference{Place: rules.Place{Rule: "feed.merge", At: rules.Feed}}}
	saved, ok := f.Saved()
	if !ok {
		t.Fatal("nothing is saved")
	}
	text, err := json.Marshal(saved)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseSaved(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(text) {
		t.Errorf("read back it is another story: %v", err)
	}
	for _, wrong := range []struct{ text, says string }{
		{`{"rule":"feed.merge","endpoint":21,"story":{"name":"x","slots":2,"ops":[]}}`, "earlier version"},
		{strings.Replace(string(text), `"version":2`, `"version":3`, 1), "later version"},
		{`{"version":2,"rule":"r","endpoint":1,"story":{"name":"x","users":[{}],"steps":[{"do":"fly","user":1}]}}`, `no action "fly"`},
		{`{"version":2,"rule":"r","endpoint":1,"story":{"name":"x","users":[{}],"steps":[{"do":"post","user":2}]}}`, "a user"},
		{`{"version":2,"rule":"r","endpoint":1}`, "neither"},
		{`{`, "reading a saved story"},
	} {
		if _, err := ParseSaved([]byte(wrong.text)); err == nil || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("%.60s: %v, want it to say %q", wrong.text, err, wrong.says)
		}
	}
}

// TestEverySubsetOfAStoryIsAStory drops steps of a story at random: what is left must still be played
// to its end.
func TestEverySubsetOfAStoryIsAStory(t *testing.T) {
	g := NewGenerator(5, []Choices{known()}, nil)
	drawn := g.Story(shape())
	for range 30 {
		some := drawn
		some.Steps = slices.DeleteFunc(slices.Clone(drawn.Steps), func(Step) bool { return g.IntN(3) == 0 })
		dry := newDryRun(some, []Choices{known()})
		if err := dry.play(context.Background()); err != nil || dry.lost {
			t.Fatalf("lost: %v, %v", dry.lost, err)
		}
	}
}

// TestShrinkingKeepsWhatFails shrinks a story to the steps that a failure needs, whatever their
// positions, and plays no story twice.
func TestShrinkingKeepsWhatFails(t *testing.T) {
	s := Story{Users: make([]Role, 3)}
	for i := range 40 {
		s.Steps = append(s.Steps, Step{Do: "post", User: 1 + i%3, Event: i + 1, Body: Fields{"verb": "like", "location": "here"}})
	}
	played := map[string]bool{}
	short := shrink(s, 400, func(candidate Story) bool {
		text, _ := json.Marshal(candidate)
		if played[string(text)] {
			t.Error("a story is played twice")
		}
		played[string(text)] = true
		needed := 0
		for _, step := range candidate.Steps {
			if (step.Event == 7 || step.Event == 30) && step.Body["location"] == "here" {
				needed++
			}
		}
		return needed == 2
	})
	if len(short.Steps) != 2 || len(short.Steps[0].Body) != 1 || short.Steps[0].User != 1 || short.Steps[1].User != 1 {
		t.Errorf("shrunk to %+v", short.Steps)
	}
}

// TestEveryDifferenceHasARule goes through the kinds of differences at the endpoints that can show
// them: the table of blame must have a row for each.
func TestEveryDifferenceHasARule(t *testing.T) {
	w := newWorld(Story{Users: make([]Role, 2)}, []Choices{known()})
	w.created(1, 0, Fields{"user_name": "ada"}, nil, Fields{"id": "1"})
	w.created(2, 0, Fields{"user_name": "bob"}, nil, Fields{"id": "2"})
	w.posted(1, 1, Fields{"verb": "like"}, Fields{"id": "3", "verb": "like"})
	lists := []rules.Endpoint{rules.MyFollows, rules.MyFollowers, rules.MyFriends, rules.FollowsOf, rules.FollowersOf, rules.FriendsOf}
	users := append([]rules.Endpoint{rules.SearchUsers}, lists...)
	for kind, places := range map[DiffKind][]rules.Endpoint{
		Unreadable: append([]rules.Endpoint{rules.Feed, rules.GetMe, rules.GetUser, rules.Versions}, users...), Gone: append([]rules.Endpoint{rules.GetUser}, lists...),
		Missing: append([]rules.Endpoint{rules.Feed}, users...), Extra: append([]rules.Endpoint{rules.Feed}, users...), Twice: append([]rules.Endpoint{rules.Feed}, lists...),
		Stranger: append([]rules.Endpoint{rules.Feed}, lists...), Copy: {rules.Feed}, Foreign: append([]rules.Endpoint{rules.Feed, rules.GetUser}, users...),
		WrongField: append([]rules.Endpoint{rules.Feed, rules.GetMe, rules.GetUser, rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent, rules.CreateConnection, rules.Versions}, users...),
		WrongTime:  append([]rules.Endpoint{rules.Feed, rules.GetMe, rules.GetUser, rules.CreateUser, rules.UpdateMe, rules.UpdateEvent}, users...),
		GoneBack:   {rules.GetMe, rules.GetUser}, WrongOrder: {rules.Feed}, WrongID: append([]rules.Endpoint{rules.GetMe, rules.GetUser, rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent}, users...),
		NoSession: {rules.Login}, OtherSession: {rules.Login}, LostUpdate: {rules.UpdateMe, rules.UpdateEvent},
	} {
		for _, at := range places {
			event := at == rules.Feed || at == rules.CreateEvent || at == rules.UpdateEvent
			d := Diff{Kind: kind, At: at, View: sighting{at: at, viewer: 0, owner: 0, subject: 1, isEvent: event}, Want: allowed{"one"}, Got: "other", Field: "user_name"}
			if event {
				d.View.subject = 0
			}
			if place := w.blame(d); place.Rule == "" {
				t.Errorf("difference %d at %s has no rule", kind, at)
			}
		}
	}
}

// TestWorldsOfARace sends a follow and its end at the same time: either may have come last, and a read
// tells which.
func TestWorldsOfARace(t *testing.T) {
	s := Story{Users: make([]Role, 2), Steps: []Step{{Do: "connect", User: 1, Other: 2, Type: follow}, {Do: "disconnect", User: 1, Other: 2, Beside: true}, {Do: "connect", User: 1, Other: 2, Type: follow}}}
	dry := newDryRun(s, []Choices{known()})
	if err := dry.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	follows := map[Tri]bool{}
	for _, w := range dry.worlds {
		follows[w.relation(pair{0, 1}).follow] = true
	}
	if len(dry.worlds) != 2 || !follows[Yes] || !follows[No] {
		t.Errorf("%d worlds, in which it follows: %v", len(dry.worlds), follows)
	}
	s.Steps = append(s.Steps[:1], Step{Do: "post", User: 2, Event: 1, Beside: true}, Step{Do: "post", User: 1, Event: 2})
	dry = newDryRun(s, []Choices{known()})
	if err := dry.play(t.Context()); err != nil || len(dry.worlds) != 1 {
		t.Errorf("what commutes leaves %d worlds: %v", len(dry.worlds), err)
	}
}

// silent is a target that stops answering after so many requests.
type silent struct {
	imaginary
	left int
}

func (s *silent) Do(ctx context.Context, r Request) (Response, error) {
	if s.left--; s.left < 0 {
		return Response{}, context.DeadlineExceeded
	}
	return s.answer(Expect{Status: 201}, r), nil
}

// TestAnUnansweredRequestEndsAStory plays a story on a target that stops answering: the error says which
// step it was, and nothing is reported.
func TestAnUnansweredRequestEndsAStory(t *testing.T) {
	s := Story{Users: make([]Role, 2), Steps: []Step{{Do: "post", User: 1, Event: 1}, {Do: "connect", User: 1, Other: 2, Type: follow}}}
	p := NewPlayer(&silent{left: 2}, Options{Pause: func(context.Context, time.Duration) error { return nil }})
	o, err := p.Play(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), "step 2, connect") || o.Requests != 3 {
		t.Errorf("%d requests, %v", o.Requests, err)
	}
}

// TestDeepRoundsGoOn generates two rounds of stories: the second exercises what the first has not.
func TestDeepRoundsGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	g := NewGenerator(1, []Choices{known(), known()}, nil)
	var covered []int
	const few = 6 // of a round: the last ones are large
	for range 2 {
		n := 0
		for s := range g.DeepStories(2) {
			if n++; n > few {
				break
			}
			if err := s.check(); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		covered = append(covered, g.Covered())
	}
	if covered[1] < covered[0]*11/10 {
		t.Errorf("covered are %v", covered)
	}
}

// TestPlainStoriesFit generates the stories of small and large budgets: what cannot be afforded is left
// out.
func TestPlainStoriesFit(t *testing.T) {
	for _, budget := range []Cost{{12, 30, 12}, {60, 120, 40}, {180, 380, 90}} {
		s := NewGenerator(1, []Choices{known()}, nil).PlainStory(budget, 3)
		cost := s.Cost([]Choices{known()}).Minus(Cost{Writes: 3})
		const more = 25 // of the ending, which is estimated
		if !cost.Within(budget.Plus(Cost{4, more, more})) || len(s.Steps) == 0 {
			t.Errorf("a story within %+v takes %+v, of %d steps", budget, cost, len(s.Steps))
		}
	}
}
