package seed

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// words are lines, each kind of them under a heading.
//
//go:embed words.txt
var words string

// pen draws demo data.
type pen struct {
	*rand.Rand
	words map[string][]string // by their heading
}

func newPen(seed uint64) pen {
	p := pen{rand.New(rand.NewPCG(seed, 0)), make(map[string][]string)}
	for kind := range strings.SplitSeq(strings.TrimPrefix(words, "# "), "\n# ") {
		lines := strings.Split(strings.TrimSpace(kind), "\n")
		p.words[lines[0]] = lines[1:]
	}
	return p
}

// one draws a word of a kind.
func (p pen) one(kind string) string {
	some := p.words[kind]
	return some[p.IntN(len(some))]
}

// among draws a number from one to another, to the sixth decimal place.
func (p pen) among(least, most float64) float64 {
	const places = 1e6
	return math.Round((least+p.Float64()*(most-least))*places) / places
}

const (
	maxDemoUsers  = 5_000
	maxDemoEvents = 200_000
	demoSpan      = 3 * 7 * 24 * time.Hour // how far back its events reach
)

func parseDemo(parameters string) (Data, error) {
	users, events, seed := 20, 200, 1
	if parameters != "" {
		for parameter := range strings.SplitSeq(parameters, ",") {
			name, value, _ := strings.Cut(parameter, "=")
			n, err := strconv.Atoi(value)
			target := map[string]*int{"users": &users, "events": &events, "rand": &seed}[name]
			if target == nil || err != nil || n < 0 {
				return Data{}, fmt.Errorf("seed demo: %q is none of users=N, events=N, rand=N", parameter)
			}
			*target = n
		}
	}
	if users < 1 || users > maxDemoUsers || events > maxDemoEvents {
		return Data{}, fmt.Errorf("seed demo: from 1 to %d users and up to %d events", maxDemoUsers, maxDemoEvents)
	}
	return demo(users, events, uint64(seed)), nil
}

// demo draws data, the same for the same numbers. A few people are followed by
// many, and post most.
func demo(users, events int, seed uint64) Data {
	draw := newPen(seed)
	data := Data{Users: make([]Person, users)}
	names := make(map[string]bool, users)
	for i := range data.Users {
		first, last := draw.one("first names"), draw.one("last names")
		name := strings.ToLower(first)
		for n := 2; names[name]; n++ {
			name = strings.ToLower(first) + strconv.Itoa(n)
		}
		names[name] = true
		data.Users[i] = Person{
			UserName: name, FirstName: first, LastName: last, Email: name + "@example.com",
			SocialIDs: map[string]string{"network": strconv.Itoa(1000 + i)}, Metadata: map[string]string{"city": draw.one("cities")},
		}
	}
	for i := range data.Users {
		person := &data.Users[i]
		person.Follows = neighbours(draw, data, i, 2+users/10)
		person.Friends = neighbours(draw, data, i, 3)
	}
	for range events {
		author := &data.Users[popular(draw, users)]
		author.Events = append(author.Events, drawEvent(draw))
	}
	return data
}

// popular draws a person, the first ones more often than the last.
func popular(draw pen, users int) int {
	return int(math.Pow(draw.Float64(), 2) * float64(users))
}

// neighbours draws up to n others, each once.
func neighbours(draw pen, data Data, self, n int) []string {
	var names []string
	taken := map[int]bool{self: true}
	for range min(n, 50) {
		i := popular(draw, len(data.Users))
		if !taken[i] {
			taken[i] = true
			names = append(names, data.Users[i].UserName)
		}
	}
	return names
}

func drawEvent(draw pen) Event {
	event := Event{Language: "en", ago: time.Duration(draw.Float64() * float64(demoSpan)).Truncate(time.Millisecond)}
	id := strconv.Itoa(1 + draw.IntN(999))
	thing := func(kind, name string) *Object {
		return &Object{ID: kind + "-" + id, Type: kind, URL: "https://example.com/" + kind + "/" + id, DisplayName: map[string]string{"en": name}}
	}
	switch draw.IntN(5) {
	case 0:
		event.Verb, event.Object = "read", thing("book", draw.one("books"))
	case 1:
		event.Verb, event.Object = "watch", thing("movie", draw.one("movies"))
	case 2:
		event.Verb, event.Object = "listen", thing("song", draw.one("songs"))
	case 3:
		latitude, longitude := draw.among(-90, 90), draw.among(-180, 180)
		event.Verb, event.Location, event.Latitude, event.Longitude = "visit", draw.one("cities"), &latitude, &longitude
	default:
		event.Verb, event.Object = "like", thing("meal", draw.one("meals"))
	}
	return event
}
