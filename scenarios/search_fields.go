package scenarios

import (
	"math/rand/v2"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

func searchFields(s *Suite) {
	// search.status: A search answers 200 and an array of users.
	// search.exact: A search for a full user name finds that user.
	// search.user-name: A search finds the users whose user name contains the term.
	// search.first-name: A search finds the users whose first name contains the term.
	// search.last-name: A search finds the users whose last name contains the term.
	// search.email: A search finds the users whose email contains the term.
	s.Scenario("a search finds a user by each attribute, whole or in part",
		Covers("search.status", "search.exact", "search.user-name", "search.first-name", "search.last-name", "search.email"), foundByAttributes)
}

func foundByAttributes(t *T) {
	searcher := t.ActorWith(Fields{"user_name": t.Unique()})
	sought, user, created := portrayed(t)
	t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": user.UserName, "password": user.Password})) // which may change the index
	brief, exact := Fields{"first_name": twoLetters(), "last_name": twoLetters()}, false
	unseen := t.NewUser(joined(brief, Fields{"user_name": searcher.UserName + t.Unique() + "01"})) // never logs in
	longer, _ := unseen["user_name"].(string)
	t.Judge("search.status", func(c *Check) {
		results := judgedList(t, c, searcher, SearchUsers, Query("q", user.UserName))
		t.Require("search.exact", results, haveUsers(user)) // an empty list has no elements to judge
		operatorsAreWords(t, c, searcher)
	})
	t.Judge("search.exact", func(c *Check) {
		c.Eventually(found(t, searcher, user.UserName, user), haveUsers(user))
		t.Send(user, SearchUsers, Query("q", searcher.UserName)) // which must not be kept for later readers
		stored := createUser(t, unseen).Record()
		c.Eventually(found(t, searcher, longer), haveNamed(longer))
		exact = true
		// What is not stored is for users.create.echo, and a term may be too short for a target.
		if len(storedFields(brief, stored)) < len(brief) || t.Send(searcher, SearchUsers, Query("q", brief["first_name"].(string))).Status()/100 == 4 {
			brief = nil
		}
	})
	if exact { // otherwise the rule above covers it
		shortTermsFind(t, searcher, brief, longer)
		t.Judge("search.user-name", func(c *Check) { // also where the term is somebody's whole name
			c.Eventually(found(t, user, searcher.UserName), haveNamed(longer))
			zeroIsATerm(t, c, searcher)
		})
	}
	partsFind(t, searcher, sought, user, created)
}

// portrayed creates a user with attributes of several parts.
func portrayed(t *T) (portrait, *Actor, *Answer) {
	sought := portraitOf(t, func(common string) string { return t.NamePhrase() + " " + common }, "d'", "-", "me+")
	fields := t.NewUser(sought.fields())
	created := createUser(t, fields, Query("withLogin", "true"))
	if !created.Succeeded() { // for its length, or its characters
		sought = portraitOf(t, func(string) string { return t.NameWord() }, "", "", "me")
		fields = t.NewUser(sought.fields())
		created = createUser(t, fields, Query("withLogin", "true"))
	}
	return sought, t.ActorOf(fields, created), created
}

// partsFind judges that the user is found by each part of each attribute.
func partsFind(t *T, searcher *Actor, sought portrait, user *Actor, created *Answer) {
	for _, attribute := range []struct {
		rule, field, value string
		terms              []string
		common             string
	}{
		{"search.user-name", "user_name", user.UserName, sought.userName, ""},
		{"search.first-name", "first_name", sought.first.whole(), sought.first.terms(), sought.first.common},
		{"search.last-name", "last_name", sought.last.whole(), sought.last.terms(), sought.last.common},
		{"search.email", "email", user.Email, sought.partsOfEmail(), ""},
	} {
		t.Judge(attribute.rule, func(c *Check) {
			if echo := created.Record().Text(attribute.field); echo != attribute.value {
				t.Blocked("users.create.echo", "needs the new user's %s as it was sent, and got %q", attribute.field, echo)
			}
			for _, term := range attribute.terms {
				c.Eventually(found(t, searcher, term, user), haveFound(user, attribute.field, attribute.value))
			}
			if strings.Contains(attribute.value, " "+attribute.common+" ") {
				c.Eventually(foundByCommonWord(t, searcher, attribute.common, user), haveFoundUnlessMany(user, attribute.field, attribute.value))
			}
		})
	}
}

// foundByCommonWord searches for a word that many may have in their names, for which a target may refuse it.
func foundByCommonWord(t *T, searcher *Actor, word string, known *Actor) func() []Record {
	return func() []Record {
		answer := t.Send(searcher, SearchUsers, Query("q", word), Sample())
		if answer.Status()/100 == 4 {
			t.Skip("the target takes no word as common as %s", word)
		}
		return identified(answer.Records(), []*Actor{known})
	}
}

// shortTermsFind judges that the user of this name is found by the brief names that the target stored.
func shortTermsFind(t *T, searcher *Actor, brief Fields, name string) {
	for _, each := range []struct{ rule, field string }{{"search.first-name", "first_name"}, {"search.last-name", "last_name"}} {
		t.Judge(each.rule, func(c *Check) {
			if term, known := brief[each.field].(string); known {
				c.Eventually(found(t, searcher, term), haveNamed(name))
			}
		})
	}
}

// zeroIsATerm judges that 0, which some languages take for nothing, is searched for as 1 is. There
// are users with either in their names.
func zeroIsATerm(t *T, c *Check, searcher *Actor) {
	find := func(digit string) *Answer { return t.Send(searcher, SearchUsers, Query("q", digit), Sample()) }
	for _, digit := range []string{"0", "1"} {
		if nobody := find(digit); !isList(nobody) || digit == "1" && len(nobody.Records()) == 0 {
			return // such a term is too short, or too common
		}
	}
	c.Eventually(listAt(t, searcher, SearchUsers, Query("q", "0"), Sample()), Condition(func(users []Record) Mismatch {
		if len(users) > 0 {
			return Mismatch{}
		}
		return Mismatch{Expected: "the users who have a 0 in their names, as a search for 1 finds those with a 1", Actual: "[]"}
	}))
}

// operatorsAreWords judges that terms which query languages take for operators are searched for
// as other words of three letters are.
func operatorsAreWords(t *T, c *Check, searcher *Actor) {
	if !shortWordsMayFindNobody(t, searcher) {
		return
	}
	for _, operator := range []string{"AND", "NOT"} {
		if answer := t.Send(searcher, SearchUsers, Query("q", operator), Sample()); !answer.Succeeded() {
			c.Status(answer, OneOf(200))
		}
	}
}

// shortWordsMayFindNobody reports whether a search for three letters that nobody has in a name is
// answered with an empty list: they may be too short, and another answer has a rule of its own.
func shortWordsMayFindNobody(t *T, searcher *Actor) bool {
	const tries = 3 // somebody may have letters chosen at random
	for range tries {
		answer := t.Send(searcher, SearchUsers, Query("q", t.Unique()[:3]), Sample())
		if !isList(answer) {
			return false
		}
		if len(answer.Records()) == 0 {
			return true
		}
	}
	return false
}

// twoLetters returns a name of two Korean letters. There are so many of them that it is unlikely
// on the target.
func twoLetters() string {
	const first, many = '가', 11172
	return string([]rune{first + rand.N[rune](many), first + rand.N[rune](many)})
}

// portrait is a user with attributes of several parts, each a term that finds this user alone.
type portrait struct {
	userName       []string // the middle one of digits
	first, last    name
	mailbox, token string // of the email
}

// portraitOf draws a user whose names have such words in the middle, and end in two words with a
// hyphen if there is to be one, and of whose last name this is the beginning.
func portraitOf(t *T, words func(common string) string, beginning, hyphen, mailbox string) portrait {
	named := func(begins, common string) name {
		ends := t.Short()
		if hyphen != "" {
			ends += hyphen + t.Short()
		}
		return name{begins + t.Short(), words(common), ends, common}
	}
	return portrait{[]string{t.Short(), digits(t.Unique()), t.Short()}, named("", "will"), named(beginning, "the"), mailbox, t.Short()}
}

func (p portrait) fields() Fields {
	return Fields{"user_name": strings.Join(p.userName, ""), "first_name": p.first.whole(), "last_name": p.last.whole(), "email": p.mailbox + p.token + "@example.com"}
}

func (p portrait) partsOfEmail() []string {
	return []string{p.mailbox + p.token, p.token, p.token + "@example", p.token + "@example.com"}
}

// digits is a word in digits.
func digits(word string) string {
	return strings.Map(func(r rune) rune { return '0' + r%10 }, word)
}

// name is a name with a unique first and last word, and between them characters that
// searches mishandle.
type name struct {
	begins, middle, ends string
	common               string // a word that others have, too, which may be in the middle
}

func (n name) whole() string { return n.begins + " " + n.middle + " " + n.ends }

// terms are parts of the name that find its bearer alone.
func (n name) terms() []string {
	terms := []string{n.begins, n.ends, n.begins + " " + n.middle, n.middle + " " + n.ends}
	if hyphen := strings.Index(n.ends, "-"); hyphen > 0 {
		terms = append(terms, n.ends[hyphen:]) // which search languages take for an exclusion
	}
	return terms
}
