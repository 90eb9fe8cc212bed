package control_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
)

// BenchmarkGetUser shows what journal, weather and worlds cost a request, without a socket.
func BenchmarkGetUser(b *testing.B) {
	options := refserver.Options{AppTokens: []string{appToken}, RateLimit: -1, AllowPlainHTTP: true, PasswordCost: 1}
	server, err := refserver.New(options)
	if err != nil {
		b.Fatal(err)
	}
	fake, err := control.New(control.Options{Server: options})
	if err != nil {
		b.Fatal(err)
	}
	for name, handler := range map[string]http.Handler{"server": server, "fake": fake} {
		b.Run(name, func(b *testing.B) {
			create := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/0.2/users?withLogin=true", strings.NewReader(`{"user_name":"ada"}`))
			create.Header.Set("Content-Type", "application/json")
			create.Header.Set("User-Agent", "bench")
			create.SetBasicAuth(appToken, "")
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, create)
			var user struct {
				SessionToken string `json:"session_token"`
			}
			if err := json.Unmarshal(answer.Body.Bytes(), &user); err != nil {
				b.Fatal(err)
			}
			get := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/0.2/user", nil)
			get.Header.Set("User-Agent", "bench")
			get.SetBasicAuth(appToken, user.SessionToken)
			b.ReportAllocs()
			for b.Loop() {
				answer := httptest.NewRecorder()
				handler.ServeHTTP(answer, get)
				if answer.Code != http.StatusOK {
					b.Fatal(answer.Code)
				}
			}
		})
	}
}
