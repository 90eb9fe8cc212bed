//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver/datafile"
	"github.com/socialfeed/conform/refserver/store"
)

// killsVariable says how often TestKilledServersKeepWhatTheyPromised kills in each way.
const killsVariable = "DATA_KILLS"

// TestKilledServersKeepWhatTheyPromised kills a server under load again and again. With --data-sync
// nothing that was answered is lost. Without it the last of it may be, and nothing between. Nothing
// is half there, nothing twice, and no id is given twice.
func TestKilledServersKeepWhatTheyPromised(t *testing.T) {
	kills := testkit.Number(t, killsVariable, 4)
	binary := asProgram(t)
	for _, way := range []struct {
		name string
		args []string
	}{{"sync", []string{"--data-sync"}}, {"plain", nil}} {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "world.data")
			said := &promises{sent: map[string]string{}, ids: map[string]string{}, gone: map[string]bool{}}
			for range kills {
				killed(t, binary, path, way.args, said)
				said.compare(t, path, way.name == "sync")
				if t.Failed() {
					return
				}
			}
			t.Logf("%d kills: %d answers, %d of them lost at the ends", kills, len(said.sent), said.lost)
		})
	}
}

// promises is what servers have answered.
type promises struct {
	mu   sync.Mutex
	sent map[string]string // the text that only one event has, by the event's id
	ids  map[string]string // every id that was ever given
	gone map[string]bool   // the ids of events whose deletion was sent
	lost int
}

// killed starts a server, lets clients write, and kills it at a random moment.
func killed(t *testing.T, binary, path string, args []string, said *promises) {
	t.Helper()
	server := exec.Command(binary, append([]string{"--addr", "127.0.0.1:0", "--http", "--control", "off", "--log", "off", "--rate-limit", "0", "--app-token", "given-app", "--data", path}, args...)...)
	var errs bytes.Buffer
	server.Stderr = &errs
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait() // killed
		if errs.Len() > 0 {
			t.Errorf("stderr: %s", errs.String())
		}
	}()
	baseURL := field(t, greeted(t, stdout), "base URL")
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() { writeUntilKilled(t, baseURL, said) })
	}
	time.Sleep(time.Duration(20+rand.IntN(500)) * time.Millisecond) //nolint:forbidigo // the moment is to be random
	_ = server.Process.Kill()
	clients.Wait()
}

func writeUntilKilled(t *testing.T, baseURL string, said *promises) {
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	call := func(method, path, session string, body any) (id, token string, ok bool) {
		text, err := json.Marshal(body)
		if err != nil {
			t.Error(err)
			return "", "", false
		}
		request, err := http.NewRequestWithContext(t.Context(), method, baseURL+path, bytes.NewReader(text))
		if err != nil {
			t.Error(err)
			return "", "", false
		}
		request.SetBasicAuth("given-app", session)
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err != nil {
			return "", "", false // killed
		}
		defer response.Body.Close()
		if response.StatusCode >= 300 {
			t.Errorf("%s %s: status %d", method, path, response.StatusCode)
			return "", "", false
		}
		var made struct {
			ID    json.Number `json:"id"`
			Token string      `json:"session_token"`
		}
		if response.StatusCode != http.StatusNoContent && json.NewDecoder(response.Body).Decode(&made) != nil {
			return "", "", false // killed
		}
		return made.ID.String(), made.Token, true
	}
	user, session, ok := call(http.MethodPost, "/0.2/users?withLogin=true", "", map[string]string{"user_name": "ann", "password": "x"})
	if !ok || !said.give(t, "user "+user, "") {
		return
	}
	for n := 1; ; n++ {
		text := fmt.Sprintf("user %s event %d", user, n)
		id, _, ok := call(http.MethodPost, "/0.2/user/events", session, map[string]any{"verb": "v", "location": text, "metadata": map[string]string{"again": text}})
		if !ok || !said.give(t, id, text) {
			return
		}
		if n%20 == 0 {
			said.mu.Lock()
			said.gone[id] = true // also where the answer does not come
			said.mu.Unlock()
			if _, _, ok = call(http.MethodDelete, "/0.2/user/events/"+id, session, nil); !ok {
				return
			}
		}
	}
}

// give notes an id that was answered, and reports whether it is new.
func (p *promises) give(t *testing.T, id, text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if before, given := p.ids[id]; given {
		t.Errorf("the id %s was given twice: to %q and %q", id, before, text)
		return false
	}
	if p.ids[id] = text; text != "" {
		p.sent[id] = text
	}
	return true
}

// compare holds what the file has against what was answered.
func (p *promises) compare(t *testing.T, path string, all bool) {
	t.Helper()
	file, state, err := datafile.Open(path, datafile.Options{})
	if err != nil || state == nil {
		t.Fatalf("after a kill: %v", err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	const firstEvent = 700_000_000
	texts := make(map[string]bool)
	kept := make(map[uint64]store.Event)
	for _, event := range state.Events {
		if texts[event.Location] || event.Metadata["again"] != event.Location || event.Verb != "v" {
			t.Errorf("twice or half there: %+v", event)
		}
		texts[event.Location], kept[uint64(event.ID)+firstEvent] = true, event
	}
	var missing, highest uint64
	for id, text := range p.sent {
		n, err := strconv.ParseUint(id, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		switch event, there := kept[n]; {
		case there && event.Location != text:
			t.Errorf("event %s is another: %q, sent was %q", id, event.Location, text)
		case there:
			highest = max(highest, n)
		case p.gone[id]:
		case all:
			t.Errorf("event %s was answered, and is lost", id)
		default:
			if missing == 0 || n < missing {
				missing = n
			}
			p.lost++
			delete(p.sent, id)
		}
	}
	if missing > 0 && missing < highest {
		t.Errorf("event %d is lost, and %d, which came after it, is not", missing, highest)
	}
}
