package restarts

import (
	"embed"
	"fmt"
	"slices"
	"strconv"

	"github.com/socialfeed/conform/internal/shell"
)

//go:embed script.sh
var scriptFiles embed.FS

// Script writes a POSIX shell script of the story of a check: it starts the command, sends the requests
// by curl, stops and kills it where the story does, and starts it again. It exits with 1 where the target has
// the failure, 0 where it has not, 2 where it cannot tell. A blank command is to be named by SERVER.
func Script(story []byte, command string, about ...string) (string, error) {
	r, err := parseRecording(story)
	if err != nil {
		return "", err
	}
	program := []shell.Statement{shell.Fixed("#!/bin/sh")}
	for _, line := range about {
		program = append(program, shell.Comment("", line))
	}
	program = append(program, shell.Do(shell.Set(shell.Named("RECORDED"), shell.Lit(command))), shell.Fixed("SERVER=${SERVER:-$RECORDED}"),
		shell.Embedded(scriptFiles, "script.sh"))
	ids := shell.Fixed("IDS=0")
	if r.IDs {
		ids = shell.Fixed("IDS=1")
	}
	attempt := append([]shell.Statement{ids, shell.Fixed("N=$((${N:-0} + 1))\nRUN=s$$x$N\nSTARTS=0\n: >\"$work/ids\"")}, r.blanks()...)
	attempt = append(attempt, shell.Do(shell.Call("start")))
	for n, a := range r.Acts {
		attempt = append(attempt, r.act(a)...)
		if a.Start {
			attempt = append(attempt, r.logIns(n)...)
		}
	}
	if len(r.Looks) > 0 {
		attempt = append(attempt, shell.Fixed("sleep 1 # views may lag"))
		reader := body("reader", "reader")
		attempt = append(attempt, call(shell.Plain("POST"), createPath(), shell.Lit(""), reader), shell.Fixed(`READER=$(field session_token)`))
	}
	for _, l := range r.Looks {
		if l.View == sessionServes && !r.hasSession(l.Subject) {
			continue
		}
		attempt = append(attempt, l.statements()...)
	}
	attempt = append(attempt, shell.Fixed("signal KILL"))
	program = append(program, shell.Function("attempt", attempt...))
	attempts := shell.Fixed("ATTEMPTS='1 2'")
	if slices.ContainsFunc(r.Acts, func(a act) bool { return a.Do != "" && a.Signal != "" }) { // it takes the right moment
		attempts = shell.Fixed("ATTEMPTS='1 2 3 4 5 6 7 8'")
	}
	program = append(program, attempts, shell.Fixed(`for n in $ATTEMPTS; do
  attempt
  [ "$FOUND" = 0 ] || { echo 'the failure is there'; exit 1; }
done
echo 'the failure is not there'`))
	return shell.Text(program...)
}

func userID(n int) shell.Name    { return shell.Numbered("USER", n) }
func userToken(n int) shell.Name { return shell.Numbered("TOKEN_OF", n) }
func eventID(n int) shell.Name   { return shell.Numbered("EVENT", n) }
func token(n int) shell.Name     { return shell.Numbered("SESSION", n) }

func call(method, path, session shell.Word, body ...shell.Word) shell.Statement {
	return shell.Do(shell.Call("call", append([]shell.Word{method, path, session}, body...)...))
}

func createPath() shell.Word { return shell.Lit(users + "?withLogin=true") }

// name is a user's name in the script.
func name(suffix string) shell.Word {
	return shell.Joined(shell.Var(shell.Named("RUN")), shell.Lit(suffix))
}

// body is the fields of a user.
func body(suffix, value string) shell.Word {
	value = strconv.Quote(value)
	return shell.Joined(shell.Lit(`{"user_name":"`), name(suffix), shell.Lit(`","password":"hashed-`), name(suffix), shell.Lit(`","email":"`), name(suffix),
		shell.Lit(`@example.com","first_name":`+value+`,"metadata":{"again":`+value+`}}`))
}

func credentials(suffix string) shell.Word {
	return shell.Joined(shell.Lit(`{"user_name":"`), name(suffix), shell.Lit(`","password":"hashed-`), name(suffix), shell.Lit(`"}`))
}

func number(n int) string { return strconv.Itoa(n) }

// blanks are the statements that set what answers may not give.
func (r recording) blanks() []shell.Statement {
	var all []shell.Statement
	blank := func(name shell.Name) { all = append(all, shell.Do(shell.Set(name, shell.Lit("")))) }
	for _, a := range r.Acts {
		switch {
		case a.Do == Create:
			blank(userID(a.User))
			blank(userToken(a.User))
		case a.Do == Post:
			blank(eventID(a.Event))
		}
		if a.Session > 0 {
			blank(token(a.Session))
		}
	}
	return all
}

// logIns are the statements by which the users of the first acts get sessions again, where they are there.
func (r recording) logIns(until int) []shell.Statement {
	var all []shell.Statement
	for _, a := range r.Acts[:until] {
		if a.Do == Create {
			again := shell.Set(userToken(a.User), shell.Output(shell.Call("field", shell.Plain("session_token"))))
			all = append(all, call(shell.Plain("POST"), shell.Lit(login), shell.Lit(""), credentials("u"+number(a.User))), shell.Do(shell.Both(shell.Call("ok"), again)))
		}
	}
	return all
}

// hasSession reports whether the script knows a session.
func (r recording) hasSession(n int) bool {
	return slices.ContainsFunc(r.Acts, func(a act) bool { return a.Session == n })
}

// act are the statements of an act.
func (r recording) act(a act) []shell.Statement {
	if a.Start {
		return []shell.Statement{shell.Do(shell.Call("start"))}
	}
	if a.Do == "" {
		return signal(a.Signal)
	}
	var first []shell.Statement
	send := r.request(a)
	if a.Signal != "" {
		seconds := strconv.FormatFloat(a.After.Seconds(), 'f', -1, 64)
		program := []shell.Statement{shell.Function("during", send), shell.Fixed("during >/dev/null 2>&1 &\nduring=$!"), shell.Do(shell.Call("sleep", shell.Plain(seconds)))}
		return append(append(program, signal(a.Signal)...), shell.Fixed(`wait "$during"`))
	}
	if a.Do == Logout {
		first = append(first, shell.Do(shell.Set(token(a.Session), shell.Var(userToken(a.User)))))
	}
	told := shell.Do(shell.Call("must", shell.Lit(fmt.Sprintf("%s, user %d", a.Do, a.User))))
	return append(append(first, send, told), r.learned(a)...)
}

func signal(s Signal) []shell.Statement {
	switch s {
	case Stop:
		return []shell.Statement{shell.Do(shell.Call("signal", shell.Plain("TERM")))}
	case Pause:
		return []shell.Statement{shell.Fixed("signal STOP\nsleep 0.3\nsignal CONT")}
	}
	return []shell.Statement{shell.Do(shell.Call("signal", shell.Plain("KILL")))}
}

// request is the statement that sends the request of a write.
func (r recording) request(a act) shell.Statement {
	suffix, as, none := "u"+number(a.User), shell.Var(userToken(a.User)), shell.Lit("")
	event := func(value string) shell.Word {
		value = strconv.Quote(value)
		return shell.Joined(shell.Lit(`{"verb":"like","location":`+value+`,"metadata":{"again":`+value+`},"object":{"type":"thing","id":"`), name("e"+number(a.Event)), shell.Lit(`"}}`))
	}
	at := func(path string, id shell.Name) shell.Word { return shell.Joined(shell.Lit(path+"/"), shell.Var(id)) }
	switch a.Do {
	case Create:
		return call(shell.Plain("POST"), createPath(), none, body(suffix, a.Value))
	case Login:
		return call(shell.Plain("POST"), shell.Lit(login), none, credentials(suffix))
	case Logout:
		return call(shell.Plain("DELETE"), shell.Lit(logout), as)
	case Update:
		return call(shell.Plain("PUT"), shell.Lit(me), as, body(suffix, a.Value))
	case Delete:
		return call(shell.Plain("DELETE"), shell.Lit(me), as)
	case Follow:
		to := shell.Output(shell.Call("follow", shell.Var(userID(a.Other))))
		if r.NumericIDs {
			to = shell.Output(shell.Call("follow_number", shell.Var(userID(a.Other))))
		}
		return call(shell.Plain("POST"), shell.Lit(links), as, to)
	case Unfollow:
		return call(shell.Plain("DELETE"), at(links, userID(a.Other)), as)
	case Post:
		return call(shell.Plain("POST"), shell.Lit(mine), as, event(a.Value))
	case Edit:
		return call(shell.Plain("PUT"), at(mine, eventID(a.Event)), as, event(a.Value))
	}
	return call(shell.Plain("DELETE"), at(mine, eventID(a.Event)), as)
}

// learned are the statements that take from an answer what later requests need.
func (r recording) learned(a act) []shell.Statement {
	session := []shell.Statement{shell.Do(shell.Set(userToken(a.User), shell.Output(shell.Call("field", shell.Plain("session_token")))))}
	if a.Session > 0 {
		session = append(session, shell.Do(shell.Set(token(a.Session), shell.Var(userToken(a.User)))))
	}
	switch a.Do {
	case Create:
		return append([]shell.Statement{shell.Do(shell.Call("given", shell.Plain("user"))), shell.Do(shell.Set(userID(a.User), shell.Var(shell.Named("ID"))))}, session...)
	case Login:
		return session
	case Post:
		return []shell.Statement{shell.Do(shell.Call("given", shell.Plain("event"))), shell.Do(shell.Set(eventID(a.Event), shell.Var(shell.Named("ID"))))}
	}
	return nil
}

// statements are those that look at a view.
func (l look) statements() []shell.Statement {
	suffix, none := "u"+number(l.Subject), shell.Lit("")
	served := shell.Fixed("served")
	what := fmt.Sprintf("user %d %s", l.Subject, l.View)
	reader := shell.Var(shell.Named("READER"))
	list := func(user int, rest string, other int) []shell.Statement {
		return []shell.Statement{
			call(shell.Plain("GET"), shell.Joined(shell.Lit(users+"/"), shell.Var(userID(user)), shell.Lit(rest)), reader),
			shell.Do(shell.Set(shell.Named("SHOWN"), shell.Output(shell.Call("jq", shell.Plain("-r"), shell.Plain("--arg"), shell.Plain("id"), shell.Var(userID(other)),
				shell.Lit(`if type == "array" and any(.[]; (.id | tostring) == $id) then "there" else "" end`), shell.Var(shell.Named("BODY")))))),
		}
	}
	var program []shell.Statement
	switch l.View {
	case sessionServes:
		what = fmt.Sprintf("session %d is served", l.Subject)
		program = []shell.Statement{call(shell.Plain("GET"), shell.Lit(me), shell.Var(token(l.Subject))), served}
	case canLogIn:
		program = []shell.Statement{call(shell.Plain("POST"), shell.Lit(login), none, credentials(suffix)), served}
	case isFound:
		program = []shell.Statement{
			call(shell.Plain("GET"), shell.Joined(shell.Lit(users+"/search?q="), name(suffix)), reader),
			shell.Do(shell.Set(shell.Named("SHOWN"), shell.Output(shell.Call("jq", shell.Plain("-r"), shell.Plain("--arg"), shell.Plain("name"), name(suffix),
				shell.Lit(`if type == "array" and any(.[]; .user_name == $name) then "there" else "" end`), shell.Var(shell.Named("BODY")))))),
		}
	case isRead:
		program = []shell.Statement{
			call(shell.Plain("GET"), shell.Joined(shell.Lit(users+"/"), shell.Var(userID(l.Subject))), reader),
			shell.Do(shell.Set(shell.Named("SHOWN"), shell.Output(shell.Call("jq", shell.Plain("-r"), shell.Plain("--arg"), shell.Plain("name"), name(suffix),
				shell.Joined(shell.Var(shell.Named("BOTH")), shell.Lit(` if .user_name? == $name then both("first_name") else "" end`)), shell.Var(shell.Named("BODY")))))),
		}
	case inFollows:
		what = fmt.Sprintf("user %d is in the follows of user %d", l.Other, l.Subject)
		program = list(l.Subject, "/follows", l.Other)
	case inFollowers:
		what = fmt.Sprintf("user %d is in the followers of user %d", l.Subject, l.Other)
		program = list(l.Other, "/followers", l.Subject)
	case inFeed:
		what = fmt.Sprintf("event %d is in the feed of user %d", l.Subject, l.Other)
		program = []shell.Statement{
			call(shell.Plain("POST"), shell.Lit(login), none, credentials("u"+number(l.Other))),
			shell.Fixed("READS=$(field session_token)"),
			call(shell.Plain("GET"), shell.Lit(feed), shell.Var(shell.Named("READS"))),
			shell.Do(shell.Set(shell.Named("SHOWN"), shell.Output(shell.Call("jq", shell.Plain("-r"), shell.Plain("--arg"), shell.Plain("marker"), name("e"+number(l.Subject)),
				shell.Joined(shell.Var(shell.Named("BOTH")), shell.Lit(` if type == "array" then [.[] | select(.object.id? == $marker) | both("location")][0] // "" else "" end`)), shell.Var(shell.Named("BODY")))))),
		}
	}
	return append(program, shell.Do(shell.Call("looked", shell.Lit(what), shell.Lit(l.Expected))))
}
