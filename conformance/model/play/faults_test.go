package play

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestFaultsAreFound makes the fake break one rule at a time, and checks that some story blames
// that rule, names the users as the story does, and shrinks to a short one.
func TestFaultsAreFound(t *testing.T) {
	const longest = 8 // operations
	const firstID = 70000
	idOfUser := regexp.MustCompile(`\busers? 7\d{4}`)
	for fault, blamed := range map[string][]string{
		"the feed is stale after a refollow":                 {"feed.unfollow"},
		"a purge misses friends who followed first":          {"feed.purge.followers", "feed.purge.friends"},
		"a purge misses who followed again":                  {"feed.purge.followers"},
		"a second update loses the metadata":                 {"users.me.update.applies"},
		"an update of the verb alone loses the metadata":     {"feed.event-shape", "feed.update-visible", "events.update.applies"},
		"an update goes back in time":                        {"users.me.update.updated-at"},
		"the feed ends one short of twenty":                  {"feed.merge", "feed.follow.new-events", "feed.friends"},
		"a list ends one short of twenty":                    {"connections.lists.follows", "connections.lists.followers", "connections.lists.of-user"},
		"the follows end after five":                         {"connections.lists.follows", "connections.lists.of-user"},
		"a third follow is forgotten":                        {"connections.lists.follows", "connections.lists.followers", "connections.lists.of-user", "feed.refollow"},
		"an end leaves the friend where both kinds stand":    {"feed.unfollow", "connections.delete.removes"},
		"the followed can end a follow":                      {"connections.delete.only-own", "feed.unfollow"}, // and the friendship stays
		"deleted users stay among followers of the followed": {"connections.lists.after-user-delete"},
		"deleted users log in":                               {"sessions.deleted-user"},
		"logout keeps the session when there are two":        {"sessions.logout.destroys"},
		"a namesake inherits the feed's events":              {"feed.purge.no-return", "users.me.delete.gone", "search.deleted-excluded", "sessions.deleted-user"},
		"a friend may change an event":                       {"events.update.others"},
		"a changed event cannot be taken from feeds":         {"feed.event-delete"},
		"the second change is not in feeds":                  {"feed.update-visible"},
		"an event's metadata with digits becomes blank":      {"events.create.echo"},
		"a priority of zero is lost":                         {"events.create.echo", "events.update.applies"},
		"a latitude of zero is lost":                         {"events.create.coordinates", "events.update.applies"},
		"the former name finds a renamed user":               {"search.non-match-excluded"},
		"a search adds the user created last":                {"search.non-match-excluded"},
		"a new user has logged in":                           {"users.create.last-login-unset"},
		"a third session opens nothing":                      {"sessions.login.user-name", "sessions.login.email"},
		"a third event is stored twice":                      {"feed.merge"},
		"a changed user is not found by others":              {"users.get.other"},
		"every third list of versions is outdated":           {"versions.current"},
		"every third list of versions is refused":            {"versions.status"},
	} {
		t.Run(fault, func(t *testing.T) {
			if testing.Short() && len(fault)%5 != 0 {
				t.Skip("one in five is enough for the race detector: all run without it")
			}
			d := dialect{endsHalf: fault == "an end leaves the friend where both kinds stand"}
			faulty := func() *fake {
				f := newFake(d, fault)
				f.base = firstID
				return f
			}
			for _, s := range stories(7) {
				o := played(t, faulty(), s, d.choices())
				if len(o.Differences) == 0 {
					continue
				}
				first := o.Differences[0]
				for _, diff := range o.Differences {
					if !slices.Contains(blamed, diff.Rule) {
						t.Errorf("story %s blames %s", s.Name, diff)
					}
					if idOfUser.MatchString(diff.Expected) {
						t.Errorf("story %s names a user by its id: %s", s.Name, diff)
					}
				}
				plays := 0
				short := story.Shrink(s, 300, func(s story.Story) bool {
					plays++
					return played(t, faulty(), s, d.choices()).Has(first)
				})
				if len(short.Ops) > longest && first.At != rules.Feed && len(o.Differences) > 0 && s.Name != "many connections" {
					t.Errorf("the shortest story has %d operations: %s", len(short.Ops), short)
				}
				t.Logf("%s by %s; %d operations to %d in %d plays: %s", first, s.Name, len(s.Ops), len(short.Ops), plays, short)
				return
			}
			t.Error("no story finds it")
		})
	}
}

// TestTheListDecides removes users whom social ids connected from a list: the deciding exchange
// must be that list, not the lists of the users who were asked after it.
func TestTheListDecides(t *testing.T) {
	s := draw.Combined(7, dialect{}.choices(), draw.Sizes()[0])
	found := played(t, newFake(dialect{}, "the follows end after five"), s, dialect{}.choices()).Differences
	if len(found) == 0 {
		t.Fatal("nothing is found")
	}
	for _, d := range found {
		if last := fmt.Sprint(d.Evidence[len(d.Evidence)-1]); d.At == rules.MyFollows && !strings.HasPrefix(last, fmt.Sprintf("%d ", d.At)) {
			t.Errorf("%q is the latest answer, and blamed is %s", last, d)
		}
	}
}

// An event that is stored twice is told as a copy: nobody sent a request for another one.
func TestACopyOfAnEventIsToldAsOne(t *testing.T) {
	for _, s := range stories(7) {
		for _, d := range played(t, newFake(dialect{}, "a third event is stored twice"), s, dialect{}.choices()).Differences {
			if d.Rule == "feed.merge" && strings.Contains(d.Actual, "a copy of another") {
				return
			}
		}
	}
	t.Error("no story tells it")
}
