package watch

import (
	"io"
	"net/http"
	"testing"
)

// TestAnswersBeforeTheRequestIsReadWhole has a service answer while a long body is still sent.
func TestAnswersBeforeTheRequestIsReadWhole(t *testing.T) {
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		w.Header().Set("Content-Length", "2")
		_, _ = io.WriteString(w, "{}")
	}), nil)
	for range 20 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/0.2/user/events", newStream(4<<20, 1))
		if err != nil {
			t.Fatal(err)
		}
		if response, err := http.DefaultClient.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}
	await(t, func() bool { return len(p.seen()) == 20 })
	for _, x := range p.seen() {
		if x.BodySize == len(x.Body) {
			t.Errorf("a body of %d bytes counts as whole", x.BodySize)
		}
	}
}
