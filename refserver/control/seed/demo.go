package seed

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/brianvoe/gofakeit/v7"
)

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
	draw := gofakeit.New(seed + 1) // 0 would be drawn by chance
	data := Data{Users: make([]Person, users)}
	names := make(map[string]bool, users)
	for i := range data.Users {
		first, last := draw.FirstName(), draw.LastName()
		name := strings.ToLower(first)
		for n := 2; names[name]; n++ {
			name = strings.ToLower(first) + strconv.Itoa(n)
		}
		names[name] = true
		data.Users[i] = Person{
			UserName: name, FirstName: first, LastName: last, Email: name + "@example.com",
			SocialIDs: map[string]string{"network": strconv.Itoa(1000 + i)}, Metadata: map[string]string{"city": draw.City()},
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
func popular(draw *gofakeit.Faker, users int) int {
	return int(math.Pow(draw.Float64(), 2) * float64(users))
}

// neighbours draws up to n others, each once.
func neighbours(draw *gofakeit.Faker, data Data, self, n int) []string {
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

func drawEvent(draw *gofakeit.Faker) Event {
	event := Event{Language: "en", ago: time.Duration(draw.Float64() * float64(demoSpan)).Truncate(time.Millisecond)}
	id := strconv.Itoa(draw.Number(1, 999))
	thing := func(kind, name string) *Object {
		return &Object{ID: kind + "-" + id, Type: kind, URL: "https://example.com/" + kind + "/" + id, DisplayName: map[string]string{"en": name}}
	}
	switch draw.Number(0, 4) {
	case 0:
		event.Verb, event.Object = "read", thing("book", draw.BookTitle())
	case 1:
		event.Verb, event.Object = "watch", thing("movie", draw.MovieName())
	case 2:
		event.Verb, event.Object = "listen", thing("song", draw.SongName())
	case 3:
		latitude, longitude := draw.Latitude(), draw.Longitude()
		event.Verb, event.Location, event.Latitude, event.Longitude = "visit", draw.City(), &latitude, &longitude
	default:
		event.Verb, event.Object = "like", thing("meal", draw.Dinner())
	}
	return event
}
