package watch

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
)

// BenchmarkObserver judges both sides of one exchange after the other.
func BenchmarkObserver(b *testing.B) {
	o := NewObserver(Catalogue(), clients.Options{})
	body, answer := []byte(`{"verb":"liked","metadata":{"n":"7"}}`), []byte(`{"id":7,"verb":"liked","enabled":true,"created_at":"2026-01-02T12:00:00Z"}`)
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	for b.Loop() {
		at = at.Add(100 * time.Millisecond)
		o.See(&clients.Exchange{
			Start: at, End: at.Add(time.Millisecond), Conn: "a", Serial: true, Client: "127.0.0.1", Scheme: "https", Host: "feeds.example",
			Method: http.MethodPost, Target: "/0.2/user/events", Body: body, BodySize: len(body), Status: http.StatusCreated, RespBody: answer, RespSize: len(answer),
			Header: http.Header{"User-Agent": {"feedreader/1.0"}, "Accept": {"application/json"}, "Content-Type": {"application/json"},
				"Authorization": {"Basic YXBwLXRva2VuLTAxMjM0NTY3ODk6c2Vzc2lvbi1vZi1hZGEtMDEyMzQ1Njc4OQ=="}},
			RespHeader: http.Header{"Content-Type": {"application/json"}},
		})
	}
}

// BenchmarkObserverLearns judges logins of one user after the other: every exchange has a password and
// a session that no other had. What each costs must not grow with how many there were.
func BenchmarkObserverLearns(b *testing.B) {
	o := NewObserver(Catalogue(), clients.Options{})
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		at = at.Add(100 * time.Millisecond)
		body := fmt.Appendf(nil, `{"user_name":"user-%d","password":"password-%d-of-nobody-else"}`, n, n)
		answer := fmt.Appendf(nil, `{"id":"%d","session_token":"session-%d-of-nobody-else"}`, n, n)
		o.See(&clients.Exchange{
			Start: at, End: at.Add(time.Millisecond), Conn: "a", Serial: true, Client: "127.0.0.1", Scheme: "https", Host: "feeds.example",
			Method: http.MethodPost, Target: "/0.2/user/login", Body: body, BodySize: len(body), Status: http.StatusOK, RespBody: answer, RespSize: len(answer),
			Header: http.Header{"User-Agent": {"feedreader/1.0"}, "Accept": {"application/json"}, "Content-Type": {"application/json"},
				"Authorization": {"Basic YXBwLXRva2VuLTAxMjM0NTY3ODk6"}},
			RespHeader: http.Header{"Content-Type": {"application/json"}},
		})
	}
}

// BenchmarkObserverRemembers judges the creation of events, each of which is remembered.
func BenchmarkObserverRemembers(b *testing.B) {
	o := NewObserver(Catalogue(), clients.Options{})
	o.Remember(Memory{AllTraffic: true})
	body := []byte(`{"verb":"liked","metadata":{"n":"7"}}`)
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		at = at.Add(100 * time.Millisecond)
		answer := fmt.Appendf(nil, `{"id":%d,"user_id":8,"verb":"liked","metadata":{"n":"7"},"enabled":true,"created_at":"2026-01-02T12:00:00Z"}`, n)
		o.See(&clients.Exchange{
			Start: at, End: at.Add(time.Millisecond), Seen: at, Conn: "a", Serial: true, Client: "127.0.0.1", Scheme: "https", Host: "feeds.example",
			Method: http.MethodPost, Target: "/0.2/user/events", Body: body, BodySize: len(body), Status: http.StatusCreated, RespBody: answer, RespSize: len(answer),
			Header: http.Header{"User-Agent": {"feedreader/1.0"}, "Accept": {"application/json"}, "Content-Type": {"application/json"},
				"Authorization": {"Basic YXBwLXRva2VuLTAxMjM0NTY3ODk6c2Vzc2lvbi1vZi1hZGEtMDEyMzQ1Njc4OQ=="}},
			RespHeader: http.Header{"Content-Type": {"application/json"}},
		})
	}
}
