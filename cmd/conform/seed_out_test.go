//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/control/seed"
)

// What conform watch saw of a service becomes a seed that the fake takes: who is there, who follows whom
// and what they did, without a name, an address or a secret of the service.
func TestWatchedServiceBecomesASeed(t *testing.T) {
	t.Parallel()
	target := servePlain(t, reference(t, nil))
	file := filepath.Join(t.TempDir(), "seed.yaml")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	watching, _, said := begun(t, "watch", "--upstream", target[1], "--allow-http", "--http", "--addr", "127.0.0.1:0", "--seed-out", file, "--quiet=false")
	said.until(t, 0, "point the client at ")
	_, url, _ := strings.Cut(said.text.String(), "point the client at ")
	url, _, _ = strings.Cut(url, ";")
	use(t, ctx, url)
	if err := watching.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = watching.Wait() // the verdict on this traffic is another test's
	text := read(t, file)
	for _, secret := range []string{"lovelace", "ada", "grace", "ada@real.example", "Turin", "engine-7", appToken, "Ada", "Engine"} {
		if strings.Contains(text, secret) {
			t.Errorf("the seed holds %q:\n%s", secret, text)
		}
	}
	data, err := seed.Parse(text)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if len(data.Users) != 2 || len(data.Users[0].Follows) != 1 || data.Users[0].Follows[0] != data.Users[1].UserName || len(data.Users[1].Events) != 1 ||
		data.Users[1].Events[0].Verb != "visit" || data.Users[1].Events[0].Object == nil || data.Users[0].FirstName == "" {
		t.Errorf("the seed is\n%s", text)
	}
	fake := conform(t, "--part", "versions", "--exec", refserverByExec("--seed-file "+file), "--allow-http")
	fake.wants(t, exitConformant)
}

// use has two users of a service meet, and one of them do something; what a third did is deleted.
func use(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	send := func(method, path, session, body string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(appToken, session)
		req.Header = http.Header{"Authorization": req.Header["Authorization"], "Accept": {"application/json"}, "Content-Type": {"application/json"}, "User-Agent": {"test"}}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode/100 != 2 {
			t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, data, err)
		}
		return string(data)
	}
	join := func(name string) (id, session string) {
		t.Helper()
		answer := send("POST", "/0.2/users?withLogin=true", "", fmt.Sprintf(`{"user_name":%q,"password":"lovelace","email":"%s@real.example","first_name":"Ada"}`, name, name))
		return fieldOf(t, answer, "id"), fieldOf(t, answer, "session_token")
	}
	_, ada := join("ada")
	graceID, grace := join("grace")
	_, gone := join("gone")
	send("POST", "/0.2/user/connections", ada, `{"user_to_id":"`+graceID+`","type":"follow"}`)
	send("POST", "/0.2/user/events", grace, `{"verb":"visit","location":"Turin","object":{"id":"engine-7","type":"place","display_name":{"en":"Engine"}}}`)
	send("POST", "/0.2/user/events", gone, `{"verb":"like"}`)
	send("GET", "/0.2/user/feed", ada, "")
	send("DELETE", "/0.2/user", gone, "")
}

// fieldOf is a field of an answer, a number as text.
func fieldOf(t *testing.T, answer, name string) string {
	t.Helper()
	record := map[string]any{}
	decoder := json.NewDecoder(strings.NewReader(answer))
	decoder.UseNumber()
	if err := decoder.Decode(&record); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(record[name])
}
