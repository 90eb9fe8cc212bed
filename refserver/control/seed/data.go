// Package seed makes the initial state of a world, from data written as YAML or from drawn demo data
// that is the same at every start.
package seed

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Data is the users of a world and what they did. Ids are given in the order of
// the users, and of the events' times, so they are the same at every start.
type Data struct {
	Users []Person `yaml:"users"`
}

// Person is a user. Fields are the contract's.
type Person struct {
	UserName  string            `yaml:"user_name"`
	Password  string            `yaml:"password"` // DefaultPassword if it is blank
	Email     string            `yaml:"email"`
	FirstName string            `yaml:"first_name"`
	LastName  string            `yaml:"last_name"`
	CustomID  string            `yaml:"custom_id"`
	URL       string            `yaml:"url"`
	SocialIDs map[string]string `yaml:"social_ids"`
	Metadata  map[string]string `yaml:"metadata"`
	Follows   []string          `yaml:"follows"` // by user_name
	Friends   []string          `yaml:"friends"`
	Events    []Event           `yaml:"events"`
}

// Event is something that a person did.
type Event struct {
	// At is when: a time before now such as -2h or -3d, or RFC 3339. Blank is now.
	At        string            `yaml:"at"`
	Verb      string            `yaml:"verb"`
	Language  string            `yaml:"language"`
	Priority  string            `yaml:"priority"`
	Location  string            `yaml:"location"`
	Latitude  *float64          `yaml:"latitude"`
	Longitude *float64          `yaml:"longitude"`
	Metadata  map[string]string `yaml:"metadata"`
	Object    *Object           `yaml:"object"`

	ago time.Duration // of a drawn event, instead of At
}

// Object is the object of an event's activity.
type Object struct {
	ID          string            `yaml:"id"`
	Type        string            `yaml:"type"`
	URL         string            `yaml:"url"`
	DisplayName map[string]string `yaml:"display_name"`
}

// DefaultPassword is the password of users without one.
const DefaultPassword = "demo"

// Parse reads a seed: "demo" or "demo:users=50,events=10000,rand=7" draws
// demo data, anything else is data as YAML.
func Parse(text string) (Data, error) {
	name, parameters, _ := strings.Cut(strings.TrimSpace(text), ":")
	if name == "demo" && !strings.Contains(text, "\n") {
		return parseDemo(parameters)
	}
	return parseYAML(text)
}

func parseYAML(text string) (Data, error) {
	var data Data
	if text = strings.TrimSpace(text); text != "" && !strings.ContainsAny(text, ":\n[{") {
		return data, fmt.Errorf("there is no seed %q: it is demo, demo:users=50,events=10000,rand=7 or a YAML file with a list named users", text)
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&data); err != nil && !errors.Is(err, io.EOF) {
		return data, fmt.Errorf("reading a seed: %w", oneLine(err))
	}
	if len(data.Users) == 0 {
		return data, errors.New("reading a seed: it has no users; it is a YAML file with a list named users, or demo:users=50,events=10000,rand=7")
	}
	return data, nil
}

// oneLine makes one line of what the YAML reader says on several.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// when is the time that an event was performed at.
func (e Event) when(now time.Time) (time.Time, error) {
	if e.At == "" {
		return now.Add(-e.ago), nil
	}
	text := e.At
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		n, err := strconv.Atoi(days)
		if err != nil || n > 0 || n < -36500 {
			return time.Time{}, fmt.Errorf("at: %q is not a number of days before now such as -3d", text)
		}
		return now.AddDate(0, 0, n), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d <= 0 {
		return now.Add(d), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.After(now) {
		return time.Time{}, fmt.Errorf("at: %q is not a time before now; write -2h, -3d or RFC 3339", text)
	}
	return at, nil
}
