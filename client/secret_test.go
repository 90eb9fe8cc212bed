package client

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestSecretsAreNeverPrinted(t *testing.T) {
	cfg := Config{BaseURL: "https://example.com", AppToken: testApp}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Session(testSession)
	fields := UserFields{UserName: "ada", Password: testPassword}
	credentials := Credentials{UserName: "ada", Password: testPassword}
	for name, v := range map[string]any{
		"Config": cfg, "*Config": &cfg, "Client": *c, "*Client": c, "Session": *s, "*Session": s,
		"UserFields": fields, "*UserFields": &fields, "Credentials": credentials, "*Credentials": &credentials,
		"exported":   struct{ V []any }{[]any{cfg, s, *s, fields, &credentials}},
		"unexported": struct{ c, s, p any }{*c, *s, s},
		"embedded":   struct{ UserFields }{fields},
		"request":    Request{Body: fields},
	} {
		t.Run(name, func(t *testing.T) {
			var shown bytes.Buffer
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t"} {
				fmt.Fprintf(&shown, verb+"\n", v)
			}
			if encoded, err := json.Marshal(v); err == nil {
				shown.Write(encoded)
			}
			slog.New(slog.NewTextHandler(&shown, nil)).Info("m", "v", v)
			slog.New(slog.NewJSONHandler(&shown, nil)).Info("m", "v", v)
			text := strings.ToLower(shown.String())
			for _, secret := range []string{"7f3a", "91cc", "word<51>", "word\\u003c51"} {
				if strings.Contains(text, secret) || strings.Contains(text, hex.EncodeToString([]byte(secret))) {
					t.Errorf("%s is shown in %s", secret, text)
				}
			}
		})
	}
}

func TestPrintingStillTells(t *testing.T) {
	s := Session{userID: NumberID(42), token: hide(testSession)}
	for want, got := range map[string]string{
		`client.Session{UserID:"42"}`:                   fmt.Sprintf("%v", &s),
		`{UserName:ada Email: Password:[REDACTED]}`:     fmt.Sprintf("%+v", Credentials{UserName: "ada", Password: "p"}),
		`{UserName: Email:a@example.com Password:}`:     fmt.Sprintf("%+v", Credentials{Email: "a@example.com"}),
		`{"user_name":"ada","email":"ada@example.com"}`: mustJSON(t, Credentials{UserName: "ada", Email: "ada@example.com", Password: "p"}),
		`{"user_name":"ada","metadata":{"k":"v"}}`:      mustJSON(t, UserFields{UserName: "ada", Password: "p", Metadata: map[string]string{"k": "v"}}),
		`"https://example.com" and "[REDACTED]"`:        configText(Config{BaseURL: "https://example.com", AppToken: testApp}),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// configText shows that %#v names the fields, and the app token's place.
func configText(cfg Config) string {
	text := fmt.Sprintf("%#v", cfg)
	_, base, _ := strings.Cut(text, "BaseURL:")
	base, rest, _ := strings.Cut(base, ",")
	_, token, _ := strings.Cut(rest, "AppToken:")
	token, _, _ = strings.Cut(token, ",")
	return base + " and " + token
}

func TestHashPassword(t *testing.T) {
	// Computed with another implementation of PBKDF2.
	for password, want := range map[string]string{
		"correct horse": "a236534b459cbc14a325461b5846fef788474266d353c0f2e06963da8720c614",
		"pässwörd":      "62e6ddb65cd7cbb4d7990d6a4e06029e3a469588acb81c75a45572c708d167d3",
	} {
		if got, err := HashPassword(password, "example-app"); err != nil || got != want {
			t.Errorf("%s: %s, %v", password, got, err)
		}
	}
	for _, pair := range [][2]string{{"", "example-app"}, {"correct horse", ""}} {
		if got, err := HashPassword(pair[0], pair[1]); err == nil {
			t.Errorf("%q: %s", pair, got)
		}
	}
}
