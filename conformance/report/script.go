package report

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/shell"
)

// Script writes a POSIX shell script that shows a check's failure with curl and jq
// alone: it makes what it needs on the target, sends the deciding request, prints
// what was expected and what came, and cleans up. It exits 1 where the failure is
// there, 0 where it is not, and 2 where it could not tell.
func Script(w io.Writer, r *result.Report, rule result.Rule, c result.Check) error {
	if c.Reproduction == nil || len(c.Reproduction.Steps) == 0 {
		return fmt.Errorf("%s has no reproduction in this report: it passed, or takes what only the judge has", rule.ID)
	}
	s := &script{shell: shell.New()}
	s.line("#!/bin/sh")
	s.line("# Shows how %s (%s) is broken at %s, with curl and jq.", oneLine(rule.ID), oneLine(string(rule.Level)), oneLine(c.Endpoint))
	s.line("# %s", oneLine(rule.Statement))
	s.line("# Exit: 1 the failure is there, 0 it is not, 2 it could not be tried.")
	s.line(`# Set APP_TOKEN (and SECOND_APP_TOKEN where it is used) first; BASE_URL may name another target.`)
	s.line("set -u")
	s.line("BASE_URL=${BASE_URL:-%s}", s.literal(r.Target.BaseURL))
	s.line(`: "${APP_TOKEN:?is to be set}"`)
	s.trust(r.Target.Trust)
	s.out.WriteString(scriptHead)
	for _, word := range c.Reproduction.Words[:min(len(c.Reproduction.Words), maxSteps)] {
		if !variableName.MatchString(word.Var) {
			return fmt.Errorf("a word of the reproduction is none")
		}
		s.line("%s=$(word %d); %[1]s_UPPER=$(printf '%%s' \"$%[1]s\" | tr a-z A-Z)", word.Var, min(max(word.Length, 1), maxSteps))
	}
	for n := 1; n <= min(c.Reproduction.Passwords, maxSteps); n++ {
		s.line(`PASSWORD_%d=$(printf '%%s' "$RUN %d" | cksum | tr -d ' ')0123456789abcdef0123456789abcdef`, n, n)
	}
	if err := s.steps(c.Reproduction.Steps); err != nil {
		return err
	}
	if err := s.decide(c); err != nil {
		return err
	}
	_, err := io.WriteString(w, s.out.String())
	return err
}

// maxSteps is how many steps a script has at most.
const maxSteps = 200

// scriptHead is what every script does first: it makes a mark for its passwords and a
// folder, tidies up at the end, and knows how to send a request.
const scriptHead = `word() { LC_ALL=C tr -dc a-z </dev/urandom | dd bs="$1" count=1 2>/dev/null; }
RUN=$(word 6)
dir=$(mktemp -d) || exit 2
tokens= made=
tidy() {
  for user in $made; do # made without a session: it takes one to delete it
    jq -n --arg name "${user%%,*}" --arg password "${user#*,}" '{user_name: $name, password: $password}' >"$dir/login"
    token=$(curl -sS $trust -u "$APP_TOKEN:" -A conform-reproduction -H 'Accept: application/json' -H 'Content-Type: application/json' --data-binary @"$dir/login" "$BASE_URL/0.2/user/login" 2>"$dir/gone" | jq -er .session_token 2>"$dir/gone") && tokens="$tokens $token,$APP_TOKEN"
  done
  for token in $tokens; do
    curl -sS $trust -o "$dir/gone" -X DELETE -u "${token#*,}:${token%%,*}" -A conform-reproduction -H 'Accept: application/json' "$BASE_URL/0.2/user" 2>"$dir/gone"
  done
  rm -rf "$dir"
}
trap tidy EXIT
trap 'exit 2' HUP INT TERM
send() { # curl's arguments; leaves status, head and body in the folder
  : >"$dir/head"; : >"$dir/body"
  curl -sS $trust -o "$dir/body" -D "$dir/head" -w '%{http_code}' "$@" >"$dir/status" 2>"$dir/trouble" || cat "$dir/trouble" >&2
}
take() { # a field of the answer's object
  jq -er --arg field "$1" '.[$field] | tostring' "$dir/body" 2>"$dir/trouble" || { printf 'got no %s from: %s\n' "$1" "$(cat "$dir/status" "$dir/body")" >&2; return 1; }
}
normal() { # a body without what differs from run to run; $1 is the file
  jq -S -c --arg known " $known " --arg since "${SINCE-}" 'walk(
    if type == "object" then with_entries(
      if (.key | test("^(id|user_id|user_from_id|user_to_id)$")) and (.value | type | . == "number" or . == "string") then
        (.value | tostring) as $id | if $known | contains(" " + $id + " ") then . else .value = (.value | type) + " id" end
      elif .key == "session_token" then .value = "token"
      elif (.key | test("_at$|^last_login$")) and (.value | type == "number") then .value = "number" else . end)
    elif type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T") and (test("^000[01]-") | not) then
      (if . == $since then . elif $since != "" and test("Z$") then (if rtrimstr("Z") < ($since | rtrimstr("Z")) then "time before" else "time after" end)
      elif test("Z$") then "time Z" else "time" end)
    else . end)' "$1" 2>"$dir/trouble" || cat "$1"
}
fields() { # the header fields that rules are about
  tr -d '\r' <"$1" | grep -iE '^(content-type|allow|location|www-authenticate|access-control-[a-z-]*):' | tr A-Z a-z | sort
}

`

type script struct {
	out   strings.Builder
	shell *shell.Text
}

func (s *script) line(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func (s *script) literal(text string) string { return s.shell.Word([]result.Piece{{Text: text}}) }

// trust tells curl which certificate to trust.
func (s *script) trust(flags []string) {
	switch {
	case slices.Equal(flags, []string{"--insecure"}):
		s.line("trust=-k")
	case len(flags) == 2 && flags[0] == "--ca-cert":
		s.line("CURL_CA_BUNDLE=${CURL_CA_BUNDLE:-%s}; export CURL_CA_BUNDLE; trust=", s.literal(flags[1]))
	default:
		s.line("trust=")
	}
}

// variableName and methodName are what may stand in a script unquoted.
var (
	variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,40}$`)
	methodName   = regexp.MustCompile(`^[A-Z]{1,20}$`)
	fieldName    = regexp.MustCompile(`^[a-z_]{1,40}$`)
)

func sound(pieces []result.Piece) bool {
	return !slices.ContainsFunc(pieces, func(p result.Piece) bool { return p.Var != "" && !variableName.MatchString(p.Var) || !sound(p.Base64) })
}

// steps writes the requests. They are checked: a report may come from elsewhere,
// and nothing in it is to become a command.
func (s *script) steps(steps []result.Step) error {
	if len(steps) > maxSteps {
		return fmt.Errorf("the reproduction has more than %d steps", maxSteps)
	}
	for i, step := range steps {
		if !methodName.MatchString(step.Method) || !sound(step.Path) || !sound(step.User) || !sound(step.Body) {
			return fmt.Errorf("step %d of the reproduction is none", i+1)
		}
		if step.WaitMS > 0 {
			s.line("sleep %d", min((step.WaitMS+999)/1000, 120))
		}
		command, err := s.request(step)
		if err != nil {
			return fmt.Errorf("step %d of the reproduction: %w", i+1, err)
		}
		if i == len(steps)-1 {
			s.line("\ndecide() {\n  %s\n}", command)
			return nil
		}
		s.line("%s", command)
		s.made(step)
		for _, capture := range step.Captures {
			if !variableName.MatchString(capture.Var) || !fieldName.MatchString(capture.Field) {
				return fmt.Errorf("step %d of the reproduction captures nothing", i+1)
			}
			s.line("%s=$(take %s) || exit 2", capture.Var, capture.Field)
			if strings.HasPrefix(capture.Var, "SESSION_TOKEN") {
				app := "$APP_TOKEN"
				if len(step.User) > 0 && step.User[0].Var == "SECOND_APP_TOKEN" {
					app = "$SECOND_APP_TOKEN"
				}
				s.line(`tokens="$tokens $%s,%s"`, capture.Var, app)
			}
		}
	}
	return nil
}

// made notes a user that a step makes without a session, for tidying up.
func (s *script) made(step result.Step) {
	session := slices.ContainsFunc(step.Captures, func(c result.Capture) bool { return c.Field == "session_token" })
	password := slices.IndexFunc(step.Body, func(p result.Piece) bool { return strings.HasPrefix(p.Var, "PASSWORD_") })
	if step.Method == http.MethodPost && !session && password >= 0 && result.Shown(step.Path) == rules.CreateUser.Path() {
		s.line(`if name=$(take user_name 2>/dev/null); then made="$made $name,$%s"; fi`, step.Body[password].Var)
	}
}

// request is a step as a call of send.
func (s *script) request(step result.Step) (string, error) {
	words := []string{"send"}
	if step.Method == http.MethodHead {
		words = append(words, "-I")
	} else {
		words = append(words, "-X", step.Method)
	}
	if step.User != nil {
		words = append(words, "-u", s.shell.Word(step.User))
	}
	has := map[string]bool{}
	for _, field := range step.Headers {
		if strings.ContainsAny(field.Name, ":\r\n ") || !sound(field.Value) {
			return "", fmt.Errorf("a header field is none")
		}
		has[http.CanonicalHeaderKey(field.Name)] = true
		value := append([]result.Piece{{Text: field.Name + ": "}}, field.Value...)
		if len(field.Value) == 0 {
			value = []result.Piece{{Text: field.Name + ";"}}
		}
		words = append(words, "-H", s.shell.Word(value))
	}
	for _, name := range []string{"User-Agent", "Accept", "Content-Type"} {
		if !has[name] && (name != "Content-Type" || len(step.Body) > 0) {
			words = append(words, "-H", "'"+name+":'")
		}
	}
	before := ""
	switch {
	case len(step.Body) == 0 && (step.Method == http.MethodPost || step.Method == http.MethodPut):
		words = append(words, "-H", "'Content-Length: 0'")
	case len(step.Body) > 0 && shell.Printable(step.Body):
		words = append(words, "--data-raw", s.shell.Word(step.Body))
	case len(step.Body) > 0:
		before = s.shell.Printf(step.Body) + " | "
		words = append(words, "--data-binary", "@-")
	}
	words = append(words, "-g", "--path-as-is", `"$BASE_URL"`+s.shell.Word(step.Path))
	return before + strings.Join(words, " "), nil
}

// sentID is an id in a request's body, as it stands there.
var sentID = regexp.MustCompile(`"(?:id|user_id)"\s*:\s*"?([A-Za-z0-9-]{1,64})`)

// decide writes what tells whether the failure is there.
func (s *script) decide(c result.Check) error {
	steps, answer := c.Reproduction.Steps, c.Reproduction.Answer
	if !sound(answer.Body) {
		return fmt.Errorf("the answer of the reproduction is none")
	}
	var known []string
	for _, step := range steps {
		for _, p := range step.Body {
			for _, sent := range sentID.FindAllStringSubmatch(p.Text, -1) { // an id that the judge made up
				known = append(known, sent[1])
			}
		}
		for _, capture := range step.Captures {
			if capture.Field == "id" {
				known = append(known, "${"+capture.Var+"-}")
			}
		}
	}
	if c.Reproduction.Since != "" {
		s.line("SINCE=%s", s.literal(c.Reproduction.Since))
	}
	s.line(`known="%s"`, strings.Join(known, " "))
	s.line("%s >\"$dir/recorded\"", s.shell.Printf(answer.Body))
	s.line(": >\"$dir/recorded-head\"")
	for _, field := range answer.Headers {
		if strings.ContainsAny(field.Name, ":\r\n ") || !sound(field.Value) {
			return fmt.Errorf("a header field of the answer is none")
		}
		s.line("%s >>\"$dir/recorded-head\"", s.shell.Printf(append(append([]result.Piece{{Text: field.Name + ": "}}, field.Value...), result.Piece{Text: "\n"})))
	}
	tries := 1
	if steps[len(steps)-1].Method == http.MethodGet {
		tries = 3 // feeds, lists and search may lag
	}
	s.line("tries=%d", tries)
	expected := c.Expected
	if expected == "" {
		expected = c.Message
	}
	s.line(`
while :; do
  decide
  failure=no
  if [ "$(cat "$dir/status")" = %s ] && [ "$(normal "$dir/body")" = "$(normal "$dir/recorded")" ] && [ "$(fields "$dir/head")" = "$(fields "$dir/recorded-head")" ]; then
    failure=yes
  fi
  tries=$((tries - 1))
  [ "$failure" = yes ] && [ "$tries" -gt 0 ] || break
  sleep 1
done`, s.literal(fmt.Sprintf("%03d", min(max(answer.Status, 0), 999))))
	s.made(steps[len(steps)-1])
	for _, capture := range steps[len(steps)-1].Captures {
		if capture.Field == "session_token" {
			s.line(`if %s=$(take session_token 2>/dev/null); then tokens="$tokens $%s,$APP_TOKEN"; fi`, capture.Var, capture.Var)
		}
	}
	s.line("printf 'expected: %%s\\n' %s", s.literal(oneLine(expected)))
	s.line(`printf 'got:      %%s %%s\n' "$(cat "$dir/status")" "$(cat "$dir/body")"`)
	s.line("if [ \"$failure\" = yes ]; then\n  printf 'the failure is there: %%s\\n' %s\n  exit 1\nfi", s.literal(strconv.Quote(oneLine(c.Actual))))
	s.line("echo 'the failure is not there'")
	return nil
}
