package refserver_test

import (
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// BenchmarkBesideBareHTTP reports how many requests a second the reference server
// serves, and what part that is of bare net/http. A feed that is not kept is put
// together for each request, from the connections of its reader on.
func BenchmarkBesideBareHTTP(b *testing.B) {
	server := startSpeedServer(b, 0)
	for _, c := range []struct{ name, path, session string }{
		{"user", "/0.2/user", server.Session},
		{"feed", "/0.2/user/feed", server.Session},
		{"feed not kept", "/0.2/user/feed", server.Uncached},
	} {
		b.Run(c.name, func(b *testing.B) {
			request := rawRequest("GET", c.path, c.session, "")
			fake, bare := server.load(b, server.Fake, request, 200), server.load(b, server.Bare, request, 200)
			takeTurns(b, fake, bare)
			reportRate(b, fake)
		})
	}
}

// BenchmarkFeedWhileWriting is as above, for a feed that somebody writes to before
// each turn of 8 requests.
func BenchmarkFeedWhileWriting(b *testing.B) {
	server := startSpeedServer(b, 0)
	request := rawRequest("GET", "/0.2/user/feed", server.Session, "")
	fake, bare := server.load(b, server.Fake, request, 200), server.load(b, server.Bare, request, 200)
	write := server.load(b, server.Fake, rawRequest("POST", "/0.2/user/events", server.Session, `{"verb":"like"}`), 201)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				write.Send(8)
			}
		}
	}()
	takeTurns(b, fake, bare)
	close(stop)
	<-done
	b.ReportMetric(write.PerSecond(), "writes/s")
}

// BenchmarkCreates reports how many events and users a second are created.
func BenchmarkCreates(b *testing.B) {
	for path, body := range map[string]string{"/0.2/user/events": `{"verb":"like"}`, "/0.2/users": `{"user_name":"ann","email":"ann@example.com"}`} {
		b.Run("POST "+path, func(b *testing.B) {
			server := startSpeedServer(b, 0)
			session := server.Session
			if path == "/0.2/users" {
				session = ""
			}
			l := server.load(b, server.Fake, rawRequest("POST", path, session, body), 201)
			b.ResetTimer()
			l.Send(max(8, b.N))
			reportRate(b, l)
		})
	}
}

// BenchmarkFeedAmongOthers reports what part of its speed a feed of 100 events
// keeps when there are a million events of others, and what an event takes.
func BenchmarkFeedAmongOthers(b *testing.B) {
	few, many := startSpeedServer(b, 0), startSpeedServer(b, 1_000_000)
	takeTurns(b, many.load(b, many.Fake, rawRequest("GET", "/0.2/user/feed", many.Session, ""), 200),
		few.load(b, few.Fake, rawRequest("GET", "/0.2/user/feed", few.Session, ""), 200))
	b.ReportMetric(float64(many.HeapBytes-few.HeapBytes)/float64(many.Others), "B/event")
}

// BenchmarkStart reports how long it takes from making the server to its first answer.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		fake, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, AllowPlainHTTP: true})
		if err != nil {
			b.Fatal(err)
		}
		if answer := within(fake, "GET", "/versions", "", nil); answer.Code != 200 {
			b.Fatal(answer.Code)
		}
	}
}
