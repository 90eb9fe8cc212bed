package proof_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
	"golang.org/x/sync/errgroup"
)

// TestNoDialectIsBlamed judges the reference server in each of its dialects:
// every one follows the contract, so nothing may fail, warn or stay blocked, and
// the report must tell each choice as it was set.
func TestNoDialectIsBlamed(t *testing.T) {
	t.Parallel()
	var group errgroup.Group
	judges := startJudges(t, sideBySide)
	dialects, seed := refserver.Dialects(), int64(fromEnvironment(t, "PROOF_SEED", 1))
	reports := make([]*result.Report, len(dialects))
	for i, dialect := range dialects {
		group.Go(func() error {
			report, err := judges.judged(order{Dialect: dialect.Name, Seed: seed})
			if err != nil {
				return err
			}
			reports[i] = report
			for _, problem := range disagreements(dialect, report) {
				t.Errorf("dialect %s: %s", dialect.Name, problem)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Run("and a comparison tells them apart", func(t *testing.T) { toldApart(t, dialects, reports) })
}

func disagreements(dialect refserver.Dialect, report *result.Report) []string {
	var problems []string
	if report.Verdict != result.Conformant {
		problems = append(problems, "the verdict is "+string(report.Verdict))
	}
	problems = append(problems, report.Notes...)
	for _, rule := range report.Rules {
		switch rule.Status {
		case result.Fail, result.Warn, result.Blocked, result.Error:
			problems = append(problems, fmt.Sprintf("%s is %s: %s", rule.ID, rule.Status, messages(rule)))
		}
	}
	answered := map[string]bool{}
	want := answers(dialect.Choices)
	for _, choice := range report.Choices {
		answered[choice.Rule] = true
		if choice.Answer != want[choice.Rule] {
			problems = append(problems, fmt.Sprintf("%s at %s is told as %q, and was set to %q",
				choice.Rule, choice.Endpoint, choice.Answer, want[choice.Rule]))
		}
	}
	for rule := range want {
		if !answered[rule] {
			problems = append(problems, rule+" is not answered")
		}
	}
	return problems
}

// answers are what the judge is to say of a server with the given choices.
func answers(c refserver.Choices) map[string]string {
	refused := func(status, fallback int) string {
		if status == 0 {
			status = fallback
		}
		return fmt.Sprintf("refused with %d", status)
	}
	unprocessable := refused(c.RequiredStatus, http.StatusUnprocessableEntity)
	either := func(set bool, yes, no string) string {
		if set {
			return yes
		}
		return no
	}
	userFate, eventFate := "kept", "kept"
	if c.ClearOmittedPlaces {
		userFate, eventFate = "kept custom_id, first_name, last_name, metadata, social_ids; cleared url", "kept: language, priority, location, metadata, object; cleared: latitude, longitude"
	}
	accept := either(c.RequireAccept, "refused with 406", "accepted")
	return map[string]string{
		"transport.nfd-input":              either(c.ComposeText, "composed", "kept"),
		"transport.empty-collections":      either(c.SendEmptyCollections, "sent", "omitted"),
		"transport.user-agent-status":      refused(c.UserAgentStatus, http.StatusBadRequest),
		"transport.accept-any":             "*/*: " + accept + ", none: " + accept,
		"sessions.concurrent":              either(c.SingleSession, "ends", "survives"),
		"sessions.logout.others":           either(c.SingleSession, "one session at a time", either(c.LogoutEverywhere, "end", "survive")),
		"users.create.activated-boolean":   either(c.RefuseActivatedBoolean, "refused with 422", "accepted"),
		"users.create.social-ids-array":    either(c.RefuseSocialIDsArray, "refused with 422", "accepted and returned"),
		"users.create.unknown-field":       either(c.RefuseUnknownFields, "refused with 422", "accepted and ignored"),
		"users.create.minimal":             either(c.RequireCredentials, unprocessable, "accepted"),
		"users.create.duplicate-user-name": either(c.UniqueUserNames, "refused with 409", "accepted"),
		"users.create.duplicate-email":     either(c.UniqueEmails, "refused with 409", "accepted"),
		"users.create.duplicate-custom-id": either(c.UniqueCustomIDs, "refused with 409", "accepted"),
		"users.id-type":                    userIDs(c),
		"users.me.update.omitted-fields":   either(c.ClearOmittedUserFields, "cleared", userFate),
		"users.get.email-visible":          either(c.HideEmail, "hidden", "visible"),
		"search.blank-query":               "q empty: " + blank(c.BlankQuery) + "; q missing: " + blank(c.MissingQuery),
		"search.self":                      either(c.ExcludeSelf, "left out", "included"),
		"connections.create.type-missing":  typeless(c.MissingType, unprocessable),
		"connections.create.duplicate":     repeated(c.DuplicateStatus),
		"connections.create.self":          either(c.AllowSelf, "accepted", unprocessable),
		"connections.friends.one-sided":    either(c.MutualFriends, "after the other side's too", "friends at once"),
		"connections.followed-path":        either(c.FollowedPath, "answers as well", "refused with 404"),
		"events.create.object-url":         either(c.OmitObjectURL, "left out", "returned"),
		"events.create.alias-path":         either(c.UsersEventsPath, "answers as well", "refused with 405"),
		"events.id-type":                   shape(c.EventIDs) + " everywhere",
		"events.update.omitted-fields":     either(c.ClearOmittedEventFields, "cleared", eventFate),
		"feed.own-events":                  either(c.OwnEvents, "there", "not there"),
		"versions.credentials":             credentials(c.VersionsCredentials),
	}
}

// userIDs tells the form of user ids: the login answer's is a string in every dialect.
func userIDs(c refserver.Choices) string {
	if form := c.UserIDs; form == refserver.DigitStringIDs || form == refserver.UUIDs {
		return shape(form) + " everywhere"
	}
	texts, integers := []rules.Endpoint{rules.Login}, []rules.Endpoint{
		rules.CreateUser, rules.GetMe, rules.UpdateMe, rules.GetUser, rules.SearchUsers, rules.MyFollows, rules.MyFollowers, rules.MyFriends,
		rules.FollowsOf, rules.FollowersOf, rules.FriendsOf,
	}
	references := []rules.Endpoint{rules.CreateConnection, rules.CreateEvent, rules.UpdateEvent, rules.Feed}
	if c.StringReferences {
		texts = append(texts, references...)
	} else {
		integers = append(integers, references...)
	}
	return "digit string at " + named(texts) + "; integer at " + named(integers)
}

// named are endpoints in the contract's order.
func named(endpoints []rules.Endpoint) string {
	slices.Sort(endpoints)
	var names []string
	for _, e := range endpoints {
		names = append(names, e.String())
	}
	return strings.Join(names, ", ")
}

func shape(form refserver.IDForm) string {
	return cmp.Or(map[refserver.IDForm]string{refserver.DigitStringIDs: "digit string", refserver.UUIDs: "UUID"}[form], "integer")
}

func blank(answer refserver.QueryAnswer) string {
	return cmp.Or(map[refserver.QueryAnswer]string{refserver.FindsAll: "users", refserver.RefusesQuery: "refused with 400"}[answer], "no users")
}

func typeless(becomes store.ConnectionType, refused string) string {
	if becomes == "" {
		return refused
	}
	return "becomes " + string(becomes)
}

func repeated(status int) string {
	return cmp.Or(map[int]string{http.StatusOK: "200", http.StatusConflict: "refused with 409"}[status], "201 again")
}

func credentials(needed refserver.Credentials) string {
	return cmp.Or(map[refserver.Credentials]string{refserver.AppToken: "app token", refserver.BothTokens: "both"}[needed], "none")
}
