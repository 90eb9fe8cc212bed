package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// refusedLogins are the faults of logins that give no session (Authentication,
// item 5; Endpoints, row 2).
func refusedLogins() []Fault {
	byName, byEmail := logsIn().and(sends("user_name")), logsIn().and(sends("email"))
	const wrong, absent, nobody, unnamed = "sessions.login.wrong-password", "sessions.login.password-required",
		"sessions.login.unknown-user", "sessions.login.identifier-required"
	return []Fault{
		{
			Name: "sessions-email-login-takes-any-password", Rule: wrong,
			Summary: "a login by email takes any password",
			Apply:   misled(byEmail, func(right, given string) bool { return given != "" }),
		},
		{
			Name: "sessions-password-case-ignored", Rule: wrong,
			Summary: "a password may be given in another case",
			Apply:   misled(logsIn(), strings.EqualFold),
		},
		{
			Name: "sessions-password-end-ignored", Rule: wrong,
			Summary: "of a password the first 16 characters count",
			Apply: misled(logsIn(), func(right, given string) bool {
				return len(given) >= 16 && len(right) >= 16 && given[:16] == right[:16]
			}),
		},
		{
			Name: "sessions-password-cut-at-72-bytes", Rule: wrong,
			Summary: "of a password the first 72 bytes count",
			Apply: misled(logsIn(), func(right, given string) bool {
				return len(given) > 72 && len(right) > 72 && given[:72] == right[:72]
			}),
		},
		{
			Name: "sessions-password-may-go-on", Rule: wrong,
			Summary: "a login needs a password that begins with the right one",
			Apply:   misled(logsIn(), func(right, given string) bool { return strings.HasPrefix(given, right) }),
		},
		{
			Name: "sessions-wrong-password-answers-403", Rule: wrong,
			Summary: "a wrong password is answered with 403",
			Apply:   wrongPasswordsAnswer(http.StatusForbidden),
		},
		{
			Name: "sessions-unknown-user-goes-by-password", Rule: nobody,
			Summary: "a login by an unknown user name lets whoever has the password in",
			Apply:   unknownNamesGoByPassword,
		},
		{
			Name: "sessions-unknown-email-answers-409", Rule: nobody,
			Summary: "a login by an unknown email answers 409",
			Apply:   unknownEmailsAnswer(http.StatusConflict),
		},
		{
			Name: "sessions-password-optional", Rule: absent,
			Summary: "a login by email needs no password",
			Apply:   misled(byEmail, func(_, given string) bool { return given == "" }),
		},
		{
			Name: "sessions-missing-password-answers-404", Rule: absent,
			Summary: "a login by user name without a password answers 404",
			Apply: edit(byName.and(not(sends("password"))), func(_ *http.Request, resp *response) {
				if resp.status == http.StatusUnprocessableEntity {
					resp.status = http.StatusNotFound
				}
			}),
		},
		{
			Name: "sessions-password-alone-logs-in", Rule: unnamed,
			Summary: "a password alone logs in whoever has it",
			Apply:   passwordAloneLogsIn,
		},
		{
			Name: "sessions-missing-identifier-answers-403", Rule: unnamed,
			Summary: "a login without an identifier answers 403",
			Apply: edit(logsIn().and(not(sends("user_name"))).and(not(sends("email"))), func(_ *http.Request, resp *response) {
				if resp.status == http.StatusUnprocessableEntity {
					resp.status = http.StatusForbidden
				}
			}),
		},
	}
}

// misled lets logins that match in by a password that is not the right one, when
// taken says so of the two; given is blank where the login has none.
func misled(m match, taken func(right, given string) bool) func(*refserver.Options) {
	return func(o *refserver.Options) {
		known := &passwords{}
		both(known.learn, tamper(m, resent(func(body map[string]any) {
			right, ok := known.by(body)
			if given, _ := body["password"].(string); ok && taken(right, given) {
				body["password"] = right
			}
		})))(o)
	}
}

// passwords are the users' passwords as they were sent, by user name and email.
type passwords struct{ byName, byEmail, names memory[string] }

// learn takes down the password of every create and update that succeeds.
func (p *passwords) learn(o *refserver.Options) {
	edit(on("POST /0.2/users", "PUT /0.2/user"), func(r *http.Request, resp *response) {
		body := sent(r)
		password, _ := body["password"].(string)
		if !resp.ok() || password == "" {
			return
		}
		p.byName.keep(fieldText(body, "user_name"), password)
		p.byEmail.keep(fieldText(body, "email"), password)
		p.names.keep(password, fieldText(body, "user_name"))
	})(o)
}

// by is the password of the user whom a login names.
func (p *passwords) by(login map[string]any) (string, bool) {
	if name := fieldText(login, "user_name"); name != "" {
		return p.byName.get(name)
	}
	return p.byEmail.get(fieldText(login, "email"))
}

func passwordAloneLogsIn(o *refserver.Options) {
	known := &passwords{}
	unnamed := logsIn().and(not(sends("user_name"))).and(not(sends("email")))
	both(known.learn, tamper(unnamed, resent(func(body map[string]any) {
		if name, ok := known.names.get(fieldText(body, "password")); ok {
			body["user_name"] = name
		}
	})))(o)
}

func unknownNamesGoByPassword(o *refserver.Options) {
	known := &passwords{}
	both(known.learn, tamper(logsIn().and(sends("user_name")), resent(func(body map[string]any) {
		name, some := known.names.get(fieldText(body, "password"))
		if _, exists := known.by(body); some && !exists {
			body["user_name"] = name
		}
	})))(o)
}

// wrongPasswordsAnswer answers logins by names that exist with passwords that are others.
func wrongPasswordsAnswer(status int) func(*refserver.Options) {
	return func(o *refserver.Options) {
		known := &passwords{}
		both(known.learn, edit(logsIn(), func(r *http.Request, resp *response) {
			login := sent(r)
			right, exists := known.by(login)
			if exists && login["password"] != right && resp.status == http.StatusUnauthorized {
				resp.status = status
			}
		}))(o)
	}
}

// unknownEmailsAnswer answers logins by emails that nobody has.
func unknownEmailsAnswer(status int) func(*refserver.Options) {
	return func(o *refserver.Options) {
		known := &passwords{}
		both(known.learn, edit(logsIn().and(sends("email")), func(r *http.Request, resp *response) {
			_, exists := known.by(sent(r))
			if resp.status != http.StatusUnauthorized || exists {
				return
			}
			resp.status = status
		}))(o)
	}
}
