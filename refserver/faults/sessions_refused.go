package faults

import (
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// refusedLogins are the faults of logins that give no session (Authentication,
// item 5; Endpoints, row 2).
func refusedLogins() []Fault {
	unnamed := logsIn().and(not(sends("user_name"))).and(not(sends("email")))
	noPassword := func(_, given string) bool { return given == "" }
	firstBytes := func(n int) func(right, given string) bool {
		return func(right, given string) bool { return len(given) >= n && len(right) >= n && given[:n] == right[:n] }
	}
	return slices.Concat(
		breaks("sessions.login.wrong-password",
			fault("sessions-email-login-takes-any-password", "a login by email takes any password",
				misled(logsInByEmail(), func(_, given string) bool { return given != "" })),
			fault("sessions-password-case-ignored", "a password may be given in another case", misled(logsIn(), strings.EqualFold)),
			fault("sessions-password-end-ignored", "of a password the first 16 characters count", misled(logsIn(), firstBytes(16))),
			fault("sessions-password-cut-at-72-bytes", "of a password the first 72 bytes count", misled(logsIn(), firstBytes(72))),
			fault("sessions-password-may-go-on", "a login needs a password that begins with the right one",
				misled(logsIn(), func(right, given string) bool { return strings.HasPrefix(given, right) })),
			fault("sessions-password-between-blanks", "a password may stand between blanks",
				misled(logsIn(), func(right, given string) bool { return strings.TrimSpace(given) == right })),
			fault("sessions-wrong-password-answers-403", "a wrong password is answered with 403",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteResponse(logsIn(), onStatus(401, func(r *http.Request, resp *response) {
						login := requestObject(r)
						if right, exists := known.by(login); exists && login["password"] != right {
							resp.status = 403
						}
					}))
				}))),
		breaks("sessions.login.unknown-user",
			fault("sessions-unknown-user-goes-by-password", "a login by an unknown user name lets whoever has the password in",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteBody(logsInByName(), func(login map[string]any) {
						if _, exists := known.by(login); !exists {
							known.name(login)
						}
					})
				})),
			fault("sessions-unknown-email-answers-409", "a login by an unknown email answers 409",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteResponse(logsInByEmail(), onStatus(401, func(r *http.Request, resp *response) {
						if _, exists := known.by(requestObject(r)); !exists {
							resp.status = 409
						}
					}))
				}))),
		breaks("sessions.login.password-required",
			fault("sessions-password-optional", "a login by email needs no password", misled(logsInByEmail(), noPassword)),
			fault("sessions-no-password-characters", "a login by user name with no character as the password needs none",
				misled(logsInByName().and(sends("password")), noPassword)),
			fault("sessions-missing-password-answers-404", "a login by user name without a password answers 404",
				rewriteResponse(logsInByName().and(not(sends("password"))), replaceStatus(422, 404, complaint("no such user"))))),
		breaks("sessions.login.identifier-required",
			fault("sessions-password-alone-logs-in", "a password alone logs in whoever has it",
				knowingPasswords(func(known *passwords) mutation { return rewriteBody(unnamed, known.name) })),
			fault("sessions-missing-identifier-answers-403", "a login without an identifier answers 403",
				rewriteResponse(unnamed, replaceStatus(422, 403, complaint("log in"))))),
	)
}

// misled lets logins that match in by a password that is not the right one, when
// taken says so of the two; given is blank where the login has none.
func misled(m match, taken func(right, given string) bool) mutation {
	return knowingPasswords(func(known *passwords) mutation {
		return rewriteBody(m, func(body map[string]any) {
			right, ok := known.by(body)
			if given, _ := body["password"].(string); ok && taken(right, given) {
				body["password"] = right
			}
		})
	})
}

// passwords are the users' passwords as they were sent, by user name and email.
type passwords struct{ byName, byEmail, names memory[string] }

// knowingPasswords makes a mutation that knows the password of every create and
// update that succeeded.
func knowingPasswords(mutate func(*passwords) mutation) mutation {
	return func(o *refserver.Options) {
		p := &passwords{}
		combine(
			rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
				body := requestObject(r)
				password, _ := body["password"].(string)
				if !resp.ok() || password == "" {
					return
				}
				p.byName.keep(fieldText(body, "user_name"), password)
				p.byEmail.keep(fieldText(body, "email"), password)
				p.names.keep(password, fieldText(body, "user_name"))
			}),
			mutate(p),
		)(o)
	}
}

// by is the password of the user whom a login names.
func (p *passwords) by(login map[string]any) (string, bool) {
	if name := fieldText(login, "user_name"); name != "" {
		return p.byName.lookup(name)
	}
	return p.byEmail.lookup(fieldText(login, "email"))
}

// name makes a login one of the user who has its password.
func (p *passwords) name(login map[string]any) {
	if name, known := p.names.lookup(fieldText(login, "password")); known {
		login["user_name"] = name
	}
}

// renamedUsers are the faults of logins after an update of what a user logs in by.
func renamedUsers() []Fault {
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("sessions-new-user-name-unknown", "nobody logs in by a user name that an update gave", newNamesUnknown("user_name"))),
		breaks("sessions.login.email",
			fault("sessions-new-email-unknown", "nobody logs in by an email that an update gave", newNamesUnknown("email"))),
		breaks("sessions.login.unknown-user",
			fault("sessions-former-user-name-logs-in", "a user also logs in by a former user name", formerNamesLast("user_name")),
			fault("sessions-former-email-logs-in", "a user also logs in by a former email", formerNamesLast("email"))),
	)
}

func newNamesUnknown(field string) mutation {
	return renamed(field, func(former, _ *memory[string], login map[string]any) {
		if former.has(fieldText(login, field)) {
			login[field] = "nobody@example.com"
		}
	})
}

func formerNamesLast(field string) mutation {
	return renamed(field, func(_, current *memory[string], login map[string]any) {
		if now, changed := current.lookup(fieldText(login, field)); changed {
			login[field] = now
		}
	})
}

// renamed misleads logins by a field: former is what it was by what it is, and
// current the other way round.
func renamed(field string, mislead func(former, current *memory[string], login map[string]any)) mutation {
	values, former, current := &memory[string]{}, &memory[string]{}, &memory[string]{} // values by id
	return combine(
		rewriteObject(createsUser().or(updatesUser()), func(user map[string]any) {
			now := fieldText(user, field)
			if was := values.keep(fieldText(user, "id"), now); was != "" && was != now {
				former.keep(now, was)
				current.keep(was, now)
			}
		}),
		rewriteBody(logsIn(), func(login map[string]any) { mislead(former, current, login) }),
	)
}
