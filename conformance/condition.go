package conformance

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/matchers"
	"github.com/onsi/gomega/types"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
)

// Mismatch is how a value differs from what a condition asks for, in the words of
// a report. The zero Mismatch is none.
type Mismatch struct{ Expected, Actual string }

// String is the mismatch in one line.
func (m Mismatch) String() string { return "expected " + m.Expected + "; got " + m.Actual }

// Condition makes a Gomega matcher of a function that compares a value with what
// is asked for. It must depend on nothing but the value.
func Condition[A any](compare func(actual A) Mismatch) types.GomegaMatcher {
	return condition[A](compare)
}

type condition[A any] func(A) Mismatch

// Match reports whether there is no mismatch. A value of another type is an
// error: waiting would not change it.
func (c condition[A]) Match(actual any) (bool, error) {
	value, ok := actual.(A)
	if !ok {
		return false, gomega.StopTrying(fmt.Sprintf("a condition on %T is asked about %T", value, actual))
	}
	return c(value) == Mismatch{}, nil
}

func (c condition[A]) FailureMessage(actual any) string { return c.mismatch(actual).String() }

// NegatedFailureMessage is for a condition that should not have held.
func (condition[A]) NegatedFailureMessage(actual any) string {
	return "expected a mismatch; got " + jsonvalue.Show(actual)
}

func (c condition[A]) mismatch(actual any) Mismatch {
	value, _ := actual.(A)
	return c(value)
}

// mismatchOf asks a matcher about a value. The message of a matcher that is no Condition is
// parsed.
func mismatchOf(matcher types.GomegaMatcher, actual any) Mismatch {
	matches, err := matcher.Match(actual)
	switch {
	case err != nil:
		panic(err)
	case matches:
		return Mismatch{}
	}
	switch m := matcher.(type) {
	case interface{ mismatch(any) Mismatch }:
		return m.mismatch(actual)
	case interface{ Unwrap() types.GomegaMatcher }:
		return mismatchOf(m.Unwrap(), actual)
	case *matchers.AndMatcher:
		for _, each := range m.Matchers {
			if found := mismatchOf(each, actual); found != (Mismatch{}) {
				return found
			}
		}
	}
	return mismatchIn(matcher.FailureMessage(actual))
}

// mismatchIn parses the message of a matcher of Gomega's own: "Expected", the value, and what it
// was expected to be.
func mismatchIn(message string) Mismatch {
	const most = 300
	inOneLine := func(text string) string { return jsonvalue.Cut(strings.Join(strings.Fields(text), " "), most) }
	value, found := strings.CutPrefix(message, "Expected\n")
	actual, expected, both := strings.Cut(value, "\nto ")
	if !found || !both {
		return Mismatch{Expected: "what the matcher asks for", Actual: inOneLine(message)}
	}
	return Mismatch{Expected: "the value to " + inOneLine(expected), Actual: inOneLine(actual)}
}
