package explore

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/rules"
)

// SavedStory returns what a later run plays to see a finding again, nil if nothing was played.
func SavedStory(place rules.Place, f play.Finding) json.RawMessage {
	kept := f.CorpusEntry()
	if kept == nil {
		return nil
	}
	kept.Rule, kept.Endpoint = place.Rule, place.At
	story, _ := json.Marshal(kept) // of plain values: it always encodes
	return story
}

// These match what a story counts from 0: in its log, and in what was expected of the target,
// where an event has the target's id.
var (
	inLog   = regexp.MustCompile(`\b(?:users?|event|session) (?:\d+|\[\d+(?: \d+)*\])`)
	users   = regexp.MustCompile(`\busers? (?:\d+|\[\d+(?: \d+)*\])`)
	numbers = regexp.MustCompile(`\d+`)
)

// UsersFromOne counts the users in a text from 1, as reproductions do.
func UsersFromOne(text string) string { return fromOne(users, text) }

// fromOne counts from 1.
func fromOne(counted *regexp.Regexp, text string) string {
	return counted.ReplaceAllStringFunc(text, func(match string) string {
		return numbers.ReplaceAllStringFunc(match, func(number string) string {
			n, err := strconv.Atoi(number)
			if err != nil {
				return number
			}
			return strconv.Itoa(n + 1)
		})
	})
}

// StoryText returns where a story comes from and its log in one line. It says what is unusual:
// that there was no time to shorten it, and that the whole story seemed to break another rule.
func StoryText(origin string, f play.Finding) string {
	const most = 800 // characters
	if f.Unfinished {
		origin += ", not shortened further for lack of time"
	}
	if f.Seemed != "" {
		origin += ", where the whole story seemed to break " + f.Seemed
	}
	text := []rune(fromOne(inLog, strings.Join(f.Log, "; ")))
	if len(text) > most { // what decides is at the end
		text = append([]rune("… "), text[len(text)-most:]...)
	}
	return origin + ": " + string(text)
}
