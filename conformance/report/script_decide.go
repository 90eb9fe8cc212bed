package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// decide writes the lines that decide whether the target has the failure.
func (s *script) decide() {
	shows, otherwise := s.unexpected(), ""
	if shows == "" {
		shows, otherwise = s.recorded(), `: this is not the answer that was blamed; "expected" says what is right`
	}
	if s.HasConcurrent() {
		otherwise += "; requests at the same time may show it only now and then: try again, or replay it with the judge"
	}
	s.ask(shows)
	for i, step := range s.beside() {
		s.line("dir=$all/%d", i+1)
		s.left(step)
		s.line("dir=$all")
	}
	s.left(s.deciding())
	s.needAnswer()
	s.tell(otherwise)
}

// left writes the lines that record what an answer gives to whoever tidies up.
func (s *script) left(step result.Step) {
	s.made(step)
	for _, capture := range step.Captures {
		if capture.Field == "session_token" {
			s.line(`if %s=$(take session_token 2>/dev/null); then tokens="$tokens $%s,$%s"; fi`, capture.Var, capture.Var, appOf(step))
		}
	}
}

// ask writes the lines that send the deciding request until the failure shows, by the given line, or
// so many answers have not shown it.
func (s *script) ask(shows string) {
	ends := s.undecided()
	if s.Answer.Status != 0 {
		ends = append(ends, "000")
	}
	s.line("tries=%d right=0", s.tries())
	s.line(`
while :; do
  decide
  failure=no
  case $(cat "$dir/status") in %s) break ;; esac
  %s
  if [ "$failure" = no ]; then
    right=$((right + 1))
    [ "$right" -lt %d ] || break
    [ "$right" -gt 1 ] || sleep %d
  else # the first answers may be stale
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] && [ "$right" = 0 ] || break
    sleep 1
  fi
done`, strings.Join(ends, " | "), shows, s.repeats(), wholeSeconds(s.RepeatAfterMS))
}

// tell writes the lines that say what was decided, and otherwise what it means that the failure is not
// there.
func (s *script) tell(otherwise string) {
	s.line("printf 'expected: %%s\\n' %s", s.literal(s.expected()))
	s.line(`printf 'got:      %%s %%s\n' "$(cat "$dir/status")" "$(shown "$dir/body")"`)
	s.line(`case $(cat "$dir/status") in
401 | 403)
  if refuses "$APP_TOKEN"; then
    echo 'nothing could be tried: the target refuses the app token; set APP_TOKEN to that of one of its applications' >&2
    exit 2
  fi
  ;;
esac
times=
[ "$right" -le 1 ] || times=", in $right answers"
if [ "$failure" = yes ]; then
  [ "$right" = 0 ] || times=", in one of $((right + 1)) answers"
  printf 'the failure is there%%s: %%s\n' "$times" %s
  exit 1
fi`, s.literal(strconv.Quote(s.actual())))
	s.line(`printf 'the failure is not there%%s%%s\n' "$times" '%s'`, otherwise)
}

// unexpected is the line that shows the failure by another status than the expected ones, "" where
// more than the status shows it.
func (s *script) unexpected() string {
	if len(s.Passing) == 0 {
		return ""
	}
	return fmt.Sprintf(`case $(cat "$dir/status") in %s) ;; *) failure=yes ;; esac`, strings.ReplaceAll(strings.Join(s.Passing, " | "), "x", "?"))
}

// recorded writes the lines that know the recorded answer, and is the one that shows the failure by
// the same answer again.
func (s *script) recorded() string {
	ids, variables := s.known()
	for _, name := range variables {
		ids = append(ids, "${"+name+"-}")
	}
	if s.Since != "" {
		s.line("SINCE=%s", s.literal(s.Since))
	}
	s.line(`known="%s"`, strings.Join(ids, " "))
	s.line("%s >\"$dir/recorded\"", s.shell.Printf(s.Answer.Body))
	s.line(": >\"$dir/recorded-head\"")
	for _, field := range s.Answer.Headers {
		s.line("%s >>\"$dir/recorded-head\"", s.shell.Printf(append(append([]result.Piece{{Text: field.Name + ": "}}, field.Value...), result.Piece{Text: "\n"})))
	}
	return fmt.Sprintf(`if [ "$(cat "$dir/status")" = %s ] && [ "$(normal "$dir/body")" = "$(normal "$dir/recorded")" ] && [ "$(fields "$dir/head")" = "$(fields "$dir/recorded-head")" ]; then
    failure=yes
  fi`, s.literal(fmt.Sprintf("%03d", min(max(s.Answer.Status, 0), 999))))
}

// needAnswer writes the lines that end the script where the target did not answer the deciding
// request, or had no time for it.
func (s *script) needAnswer() {
	s.line(`case $(cat "$dir/status") in`)
	if s.Answer.Status != 0 {
		s.line("000) echo 'there was no answer' >&2; exit 2 ;;")
	}
	s.line(`%s) echo "nothing was decided: the target answered $(cat "$dir/status"); try again in a minute" >&2; exit 2 ;;`, strings.Join(s.undecided(), " | "))
	s.line("esac")
}
