package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// loginRefusals judges which logins give no session (Authentication, item 5;
// Endpoints, row 2).
func loginRefusals(s *Suite) {
	// sessions.login.wrong-password: A login with a wrong password gets 401.
	s.Scenario("a wrong password does not log in", Covers("sessions.login.wrong-password"), wrongPasswordRefused)
	// sessions.login.user-name: A user logs in with user name and password and gets its id and a session token that works.
	// sessions.login.wrong-password: A login with a wrong password gets 401.
	// users.me.update.password: After a change of password only the new password logs in.
	s.Scenario("a long password of any characters counts to its last one",
		Covers("sessions.login.user-name", "sessions.login.wrong-password", "users.me.update.password"), longPasswords)
	// sessions.login.unknown-user: A login for a user name that nobody has is refused.
	// sessions.login.password-required: A login without a password is refused.
	// sessions.login.identifier-required: A login that names neither a user name nor an email is refused.
	s.Scenario("a login needs a user, an identifier and a password",
		Covers("sessions.login.unknown-user", "sessions.login.password-required", "sessions.login.identifier-required"), incompleteLogins)
}

func wrongPasswordRefused(t *T) {
	const few = 3 // failures in a row: a target may lock an account after many
	actors := []*Actor{t.AnyActor(), t.AnyActor()}
	t.Judge("sessions.login.wrong-password", func(c *Check) {
		for i, actor := range actors { // one for each identifier
			identifiers := loginsOf(t, actor)
			identifier := identifiers[min(i, len(identifiers)-1)]
			wrongs := wrongPasswords(actor, actors[1-i])
			if i == 0 {
				wrongs = wrongs[:few]
			} else { // the passwords that were not tried with the other, and another user's password
				wrongs = append(wrongs[few:], wrongs[1])
			}
			for _, wrong := range wrongs {
				refusedLogin(t, c, identifier, wrong)
			}
		}
		both := t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": actors[0].UserName, "email": actors[0].Email, "password": actors[1].Password}))
		c.True(!both.Succeeded(), "no login by user_name and email with another user's password", fmt.Sprint(both.Status()))
		condition := t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": actors[0].UserName, "password": "x' OR '1'='1"})) // which a proxy may refuse in another way
		c.True(!condition.Succeeded(), "no login with a condition of a database query as the password", fmt.Sprint(condition.Status()))
	})
}

func incompleteLogins(t *T) {
	actor := withOddEmail(t, "email", "+a.b_c-d")
	identifiers := loginsOf(t, actor)
	t.Judge("sessions.login.unknown-user", func(c *Check) {
		for _, identifier := range identifiers {
			for _, similar := range similarEmails(identifier) {
				answer := t.Send(t.AppOnly(), Login, JSON(Fields{"email": similar, "password": actor.Password}))
				c.True(!answer.Succeeded(), "no login by "+similar+", which resembles the email "+identifier.value, fmt.Sprint(answer.Status()))
			}
			_, host, isEmail := strings.Cut(identifier.value, "@")
			if identifier.value = t.Unique(); isEmail && identifier.field == "email" { // of the same form, but nobody's
				identifier.value += "@" + host
			}
			answer := t.Send(t.AppOnly(), Login, JSON(identifier.with(actor.Password)))
			c.Status(answer, OneOf(401).Tolerating(400, 403, 404, 422))
		}
		pattern := actor.UserName[:len(actor.UserName)-1] + "%"
		c.Status(t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": pattern, "password": actor.Password})), Refused())
	})
	t.Judge("sessions.login.password-required", func(c *Check) {
		for i, identifier := range identifiers {
			answer := t.Send(t.AppOnly(), Login, JSON(Fields{identifier.field: identifier.value}))
			c.Status(answer, OneOf(400, 422).Tolerating(401))
			for _, none := range [][]any{{nil, true}, {"", Fields{"$ne": "x"}}}[i%2] { // may be refused as a wrong password
				c.Status(t.Send(t.AppOnly(), Login, JSON(Fields{identifier.field: identifier.value, "password": none})), Refused())
			}
		}
	})
	t.Judge("sessions.login.identifier-required", func(c *Check) {
		answer := t.Send(t.AppOnly(), Login, JSON(Fields{"password": actor.Password}))
		c.Status(answer, OneOf(400, 422).Tolerating(401, 404))
	})
}

// similarEmails returns different addresses that some services take for the given one: without
// dots, and without the part after a plus.
func similarEmails(d identifier) []string {
	local, host, is := strings.Cut(d.value, "@")
	if d.field != "email" || !is {
		return nil
	}
	bare, _, _ := strings.Cut(local, "+")
	return slices.DeleteFunc([]string{strings.ReplaceAll(local, ".", "") + "@" + host, bare + "@" + host}, func(similar string) bool { return similar == d.value })
}

// longPasswords judges long passwords of unusual characters, on a create and on an update.
// Which passwords a target accepts is left open.
func longPasswords(t *T) {
	anew := oddPassword
	long := anew(t)
	fields := t.NewUser(Fields{"password": long})
	created := createUser(t, fields, Query("withLogin", "true"))
	if !created.Succeeded() {
		anew = longPassword
		long = anew(t)
		fields["password"] = long
		created = createUser(t, fields, Query("withLogin", "true"))
	}
	if !created.Succeeded() {
		for _, rule := range []string{"sessions.login.user-name", "sessions.login.wrong-password", "users.me.update.password"} {
			t.Judge(rule, func(*Check) { needCreates(t) })
		}
		return
	}
	actor := t.ActorOf(fields, created)
	by := identifier{field: "user_name", value: actor.UserName}
	login := t.Send(t.AppOnly(), Login, JSON(by.with(long)))
	t.Judge("sessions.login.user-name", func(c *Check) {
		c.Status(login, OneOf(200))
	})
	if !login.Succeeded() {
		by = loginsOf(t, actor)[0]
	}
	counts, kind := false, fmt.Sprintf("the password of %d bytes", len(long)) // a hash may take only the first ones
	t.Judge("sessions.login.wrong-password", func(c *Check) {
		refusedLogin(t, c, by, wrongPassword{what: kind + " but for its last character", password: otherEnding(long)})
		if last, size := utf8.DecodeLastRuneInString(long); last > unicode.MaxLatin1 { // which a smaller character set does not tell apart
			refusedLogin(t, c, by, wrongPassword{what: kind + " but for another character like its last", password: long[:len(long)-size] + string(last+1)})
		}
		counts = true
	})
	longPasswordChanges(t, actor, by, anew, counts)
}

// longPasswordChanges judges that a long password is changed and changed back; to its last character
// only where that counts, since otherwise the rule about wrong passwords covers it.
func longPasswordChanges(t *T, actor *Actor, by identifier, anew func(*T) string, counts bool) {
	t.Judge("users.me.update.password", func(c *Check) {
		long, next := actor.Password, anew(t)
		if !actor.Update(Fields{"password": next}).Succeeded() {
			return
		}
		actor.Password = next
		renewed := t.Send(t.AppOnly(), Login, JSON(by.with(next)))
		c.True(renewed.Succeeded(), "a login with the new password", fmt.Sprint(renewed.Status()))
		if counts {
			wrong := t.Send(t.AppOnly(), Login, JSON(by.with(otherEnding(next))))
			c.True(!wrong.Succeeded(), "no login with a password that differs from the new one in its last character", fmt.Sprint(wrong.Status()))
		}
		if !actor.Update(Fields{"password": long}).Succeeded() { // and back again, which a target that knows former passwords may refuse
			return
		}
		actor.Password = long
		back := t.Send(t.AppOnly(), Login, JSON(by.with(long)))
		c.True(back.Succeeded(), "a login with the password that was changed back", fmt.Sprint(back.Status()))
	})
}

// longPassword consists of hexadecimal digits, as the hashes that clients send.
func longPassword(t *T) string { return t.Password() + t.Password() }

// oddPassword is long and has, before its last character, characters that servers cut
// off, decode or narrow by mistake.
func oddPassword(t *T) string { return t.Password() + " " + oddCharacters + t.Password() + "ш" }

const oddCharacters = ":%41+&<'🎉"

// refusedLogin judges a login with a wrong password.
func refusedLogin(t *T, c *Check, identifier identifier, wrong wrongPassword) {
	answer := t.Send(t.AppOnly(), Login, append(wrong.with, JSON(identifier.with(wrong.password)))...)
	expected := fmt.Sprintf("401 for a login by %s with %s", identifier.field, wrong.what)
	c.True(!answer.Succeeded(), expected, fmt.Sprint(answer.Status()))
	c.Status(answer, OneOf(401))
}

// wrongPassword is a password that is not the user's.
type wrongPassword struct {
	what, password string
	with           []With // further fields
}

// wrongPasswords are similar to the right one, and not at all.
func wrongPasswords(actor, other *Actor) []wrongPassword {
	right := actor.Password
	wrong := []wrongPassword{
		{what: "the password with a blank before and after it", password: " " + right + " "},
		{what: "another user's password", password: other.Password, with: []With{Query("withUserDetails", "true")}},
		{what: "the password with another last character", password: otherEnding(right)},
		{what: "the password with one more character", password: right + "0"},
	}
	if upper := strings.ToUpper(right); upper != right {
		wrong = append(wrong, wrongPassword{what: "the password in upper case", password: upper})
	}
	return wrong
}

// otherEnding replaces the last character of a password, where possible by one with the
// same low byte.
func otherEnding(password string) string {
	last, size := utf8.DecodeLastRuneInString(password)
	head := password[:len(password)-size]
	switch {
	case last > unicode.MaxLatin1:
		return head + string(last&0xff)
	case last == '0':
		return head + "1"
	}
	return head + "0"
}
