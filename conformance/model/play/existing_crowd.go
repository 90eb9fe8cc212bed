package play

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// Gathering has newcomers, whom nobody is connected to, connect to a crowd of existing users with
// events, to many by one request that names their social ids. Then some of the crowd post, delete
// events and are deleted. What the newcomers' lists, feeds and searches for the word that some user
// names share show is compared; each difference is confirmed by further reads.
type Gathering struct{ *existingCrowd }

// NewGathering returns a gathering that has not begun.
func (p *Player) NewGathering(newcomers [2]reuse.User, crowd []reuse.User, shared string) Gathering {
	return Gathering{p.existingCrowd(newcomers, crowd, shared)}
}

// worthIt reports whether the crowd may show what other stories do not.
func (s *existingCrowd) worthIt() bool {
	return len(s.crowd) >= smallestCrowd && s.state.Choices.SocialConnects == leeway.Yes
}

// Play plays the gathering. The error says that a request got no answer.
func (s Gathering) Play(ctx context.Context) ([]Finding, *Outcome, error) {
	if !s.worthIt() {
		return nil, &s.outcome, nil
	}
	for _, part := range []func(context.Context){s.search, s.gather, s.grow, s.end} {
		if len(s.findings) == 0 { // else more would be found of the same
			part(ctx)
		}
	}
	if s.err != nil {
		return s.findings, &s.outcome, fmt.Errorf("connecting to a crowd of existing users: %w", s.err)
	}
	return s.findings, &s.outcome, nil
}

// existingCrowd is one run of a gathering.
type existingCrowd struct {
	existingReads
	follower, friend int   // the newcomers
	crowd            []int // on one network, those with most events first
	shared           string
	namesakes        []int // whose user names hold the shared word
}

const (
	repeatedReadings = 10
	leavers          = 6  // of the namesakes, who are deleted first
	smallestCrowd    = 12 // below which nothing is to be seen that other stories do not see
	mostAtOnce       = leeway.PromisedLength - 1
)

// existingCrowd returns a run of GatherExisting that has not begun.
func (p *Player) existingCrowd(newcomers [2]reuse.User, crowd []reuse.User, shared string) *existingCrowd {
	s := &existingCrowd{shared: shared, existingReads: existingReads{run: p.newRun(story.Story{Name: "a crowd of existing users", Slots: len(crowd) + len(newcomers)})}}
	s.follower, s.friend = s.reuse(newcomers[0]), s.reuse(newcomers[1])
	network := commonNetwork(crowd)
	var together []reuse.User
	for _, a := range crowd {
		who := s.reuse(a)
		if s.state.Users[who].Network == network && a.EventsKnown {
			s.crowd, together = append(s.crowd, who), append(together, a)
		}
		if shared != "" && strings.Contains(s.state.Users[who].Name, shared) {
			s.namesakes = append(s.namesakes, who)
		}
	}
	slices.SortStableFunc(s.crowd, func(a, b int) int { return cmp.Compare(len(s.events(b)), len(s.events(a))) })
	s.outcome.Like = likeCrowd(newcomers, together[:min(mostAtOnce, len(together))])
	return s
}

// commonNetwork returns the network that most users are on.
func commonNetwork(crowd []reuse.User) string {
	on := map[string]int{}
	most := ""
	for _, a := range crowd {
		var u world.User
		if u.RecordSocialID(a.Sent); u.Network != "" {
			if on[u.Network]++; on[u.Network] > on[most] {
				most = u.Network
			}
		}
	}
	return most
}

// search searches for the word that user names share, and again once those who had it first
// are deleted.
func (s *existingCrowd) search(ctx context.Context) {
	if len(s.namesakes) <= leavers {
		return
	}
	all := world.View{At: rules.SearchUsers, Viewer: s.follower, Owner: s.namesakes[leavers], Session: -1, Field: world.SharedNameField, Term: s.shared, Exact: true}
	s.compare(ctx, all)
	for _, who := range s.namesakes[:leavers] {
		if !slices.Contains(s.crowd, who) {
			s.deleteUser(ctx, story.Op{}, world.Pair{From: who, To: -1})
		}
	}
	if s.compare(ctx, all); len(s.findings) == 0 {
		s.outcome.Log = nil // what is found later has nothing to do with them
	}
}

// gather connects both newcomers to as many of the crowd as every list must show, the one as
// follows and the other, where that makes friends, as friends.
func (s *existingCrowd) gather(ctx context.Context) {
	some := s.crowd[:min(mostAtOnce, len(s.crowd))]
	s.connect(ctx, s.follower, "follow", some)
	s.compare(ctx, world.Own(rules.Feed, s.follower), world.Of(rules.FollowsOf, s.follower, s.friend))
	if s.state.Choices.FriendsAtOnce == leeway.Yes {
		s.connect(ctx, s.friend, "friend", some)
		s.compare(ctx, world.Of(rules.FriendsOf, s.friend, s.follower))
		if s.state.Choices.KindsStand == leeway.Yes { // who is connected already, and otherwise
			s.connect(ctx, s.friend, "follow", some)
		}
	}
	last := some[len(some)-1]
	s.post(ctx, story.Op{Values: 1}, world.Pair{From: last, To: -1})
	s.compare(ctx, world.Own(rules.Feed, s.follower), world.Own(rules.Feed, s.friend))
	s.run.end(ctx, story.Op{Kind: story.End}, world.Pair{From: s.follower, To: some[len(some)-2]})
	if len(s.crowd) > len(some) { // who follows as many as before, and not the same
		s.run.connect(ctx, story.Op{Kind: story.Follow}, world.Pair{From: s.follower, To: s.crowd[len(some)]})
	}
	s.remove(ctx, story.Op{Event: len(s.events(some[0])) / 2}, world.Pair{From: some[0], To: -1})
	if n := len(s.events(some[0])); n > 2 { // the newest and the oldest, too
		s.remove(ctx, story.Op{Event: n - 1}, world.Pair{From: some[0], To: -1})
		s.remove(ctx, story.Op{Event: 0}, world.Pair{From: some[0], To: -1})
	}
	s.run.end(ctx, story.Op{Kind: story.End}, world.Pair{From: s.friend, To: some[0]})
	s.compare(ctx, world.Own(rules.Feed, s.follower), world.Own(rules.MyFollows, s.follower), world.Of(rules.FollowsOf, s.follower, s.friend), world.Own(rules.MyFriends, s.friend))
	s.deleteUser(ctx, story.Op{}, world.Pair{From: some[1], To: -1})
	s.compare(ctx, world.Own(rules.Feed, s.follower), world.Own(rules.Feed, s.friend), world.Own(rules.MyFollows, s.follower), world.Own(rules.MyFriends, s.friend))
}

// grow has the follower connect to the others, to more than a list must show.
func (s *existingCrowd) grow(ctx context.Context) {
	others := s.crowd[min(mostAtOnce+1, len(s.crowd)):]
	if len(others) == 0 {
		return
	}
	for some := range slices.Chunk(others, mostAtOnce) {
		s.connect(ctx, s.follower, "follow", some)
	}
	s.compare(ctx, world.Own(rules.Feed, s.follower), world.Of(rules.FollowsOf, s.follower, s.friend))
	s.post(ctx, story.Op{Values: 1}, world.Pair{From: others[len(others)-1], To: -1})
	s.deleteUser(ctx, story.Op{}, world.Pair{From: others[0], To: -1})
	s.compare(ctx, world.Own(rules.Feed, s.follower), world.Own(rules.MyFollows, s.follower))
}

// end reads the follower's feed repeatedly, deletes the crowd, each of whom has other names and
// events, and compares what is left of it.
func (s *existingCrowd) end(ctx context.Context) {
	feed := world.Own(rules.Feed, s.follower)
	s.readRepeatedly(ctx, feed)
	for _, who := range s.crowd {
		if s.state.Users[who].Lives() && len(s.findings) == 0 {
			s.delete(ctx, who)
		}
	}
	s.compare(ctx, feed, world.Own(rules.Feed, s.friend), world.Own(rules.MyFollows, s.follower), world.Own(rules.MyFriends, s.friend))
}

// readRepeatedly reads a view several times in a row, each of which must show the same. What one
// shows otherwise must show again in each further row, once no copy of the target is stale any more.
func (s *existingCrowd) readRepeatedly(ctx context.Context, v world.View) {
	shown := s.readRow(ctx, v)
	if shown == nil {
		return
	}
	s.pause(ctx, s.player.options.Settle)
	for range confirmations {
		if again := s.readRow(ctx, v); again == nil || !again.Same(*shown) {
			return
		}
	}
	if s.err == nil {
		s.foundEachTime(*shown, "user %d is looked at again and again", v.Owner)
	}
}

// foundEachTime keeps a difference that each confirmation has shown, with what is to be said of it.
func (s *existingCrowd) foundEachTime(d blame.Difference, format string, who int) {
	log := append(slices.Clone(s.outcome.Log), fmt.Sprintf(format, who))
	s.findings = append(s.findings, Finding{Difference: d, Log: log, Seen: confirmations, Stable: true})
}

// readRow reads a view several times in a row, and returns the first difference, nil for none.
func (s *existingCrowd) readRow(ctx context.Context, v world.View) *blame.Difference {
	done := slices.Clone(s.evidence)
	defer func() { s.evidence = done }()
	for range repeatedReadings {
		s.evidence = slices.Clone(done)
		if found := s.newDifferences(v, s.read(ctx, v)); len(found) > 0 && s.err == nil {
			found[0].Evidence = slices.Clone(s.evidence)
			found[0].Actual += fmt.Sprintf(", in one of %d reads in a row", repeatedReadings)
			return &found[0]
		}
	}
	return nil
}

// delete deletes one of the crowd. Where that fails, it is tried again, as a confirmation.
func (s *existingCrowd) delete(ctx context.Context, who int) {
	known := len(s.outcome.Differences)
	for range confirmations {
		if s.deleteUser(ctx, story.Op{}, world.Pair{From: who, To: -1}); s.err != nil || s.lost || !s.state.Users[who].Lives() {
			return
		}
	}
	for _, d := range s.outcome.Differences[known:] {
		s.foundEachTime(d, "user %d, who was created before, cannot be deleted", who)
	}
}

// connect connects a newcomer to some of the crowd by their social ids, and compares the list
// of those.
func (s *existingCrowd) connect(ctx context.Context, who int, typ string, some []int) {
	network := s.state.Users[some[0]].Network
	known := len(s.outcome.Differences)
	if !s.requestSocial(ctx, who, typ, network, some) {
		s.outcome.Differences = s.outcome.Differences[:known] // how many a request may name is open
		return
	}
	s.logf("user %d connects to %d users, who were created before, by their social ids, as %s", who, len(some), typ)
	list := listOf(typ, who)
	s.compare(ctx, list)
	s.leaveMissingOpen(list, typ, some)
}

// compare compares views with the state until one differs, and confirms the differences.
func (s *existingCrowd) compare(ctx context.Context, views ...world.View) {
	for _, v := range views {
		if len(s.findings) == 0 {
			s.compareAndConfirm(ctx, v)
		}
	}
}
