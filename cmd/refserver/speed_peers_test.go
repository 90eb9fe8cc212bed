package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// peersVariable is the folder with the programs of other servers of fake APIs, as npm installs them.
const peersVariable = "REFSERVER_PEERS"

// mapVariable tells a copy of the test binary to be the plainest server in Go that keeps what it is given.
const mapVariable = "REFSERVER_SPEED_MAP"

// peer is a server to compare with: how it starts at a port, and what is asked of it.
type peer struct {
	name        string
	command     []string // PORT stands for the port
	environment string
	create, get string // the paths
}

// TestPeers has each server create a resource and read one, by 8 connections, and tells how many of these it
// does in a second. Each does the same work, as far as it can: Prism keeps nothing.
func TestPeers(t *testing.T) {
	folder := os.Getenv(peersVariable)
	if runtime.GOOS != "linux" {
		t.Skip("the processors' time of another process is read from /proc")
	}
	if folder == "" {
		t.Skipf("%s names no folder with json-server, mockoon-cli and prism", peersVariable)
	}
	work := t.TempDir()
	writeFor := func(name string, text []byte) string {
		path := filepath.Join(work, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mockoon, err := os.ReadFile("testdata/mockoon.json")
	if err != nil {
		t.Fatal(err)
	}
	var contract bytes.Buffer
	if code := run(t.Context(), []string{"openapi", "--format", "yaml"}, &contract, io.Discard); code != exitOK {
		t.Fatal("no OpenAPI document: exit ", code)
	}
	program := func(name string) string { return filepath.Join(folder, name) }
	columns := tabwriter.NewWriter(t.Output(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "server\tcreates/s\treads/s\tCPU of a create\tof a read")
	for _, p := range []peer{
		{"refserver, with journal and log", []string{os.Args[0], "--http", "--addr", "127.0.0.1:PORT", "--control", "127.0.0.1:0", "--rate-limit", "0", "--app-token", speedToken}, programVariable + "=yes", "/0.2/user/events", "/0.2/user"},
		{"a map and a mutex in Go", []string{os.Args[0]}, mapVariable + "=127.0.0.1:PORT", "/events", "/events/1"},
		{"json-server", []string{program("json-server"), "--quiet", "--host", "127.0.0.1", "--port", "PORT", writeFor("db.json", []byte(`{"events":[{"id":1,"verb":"like"}]}`))}, "", "/events", "/events/1"},
		{"Mockoon CLI", []string{program("mockoon-cli"), "start", "--data", writeFor("mockoon.json", mockoon), "--port", "PORT", "--hostname", "127.0.0.1", "--disable-log-to-file"}, "", "/events", "/events/1"},
		{"Prism (keeps nothing)", []string{program("prism"), "mock", "-h", "127.0.0.1", "-p", "PORT", writeFor("openapi.yaml", contract.Bytes())}, "", "/0.2/user/events", "/0.2/user"},
	} {
		rates := p.measure(t)
		fmt.Fprintf(columns, "%s\t%.0f\t%.0f\t%s\t%s\n", p.name, rates[0].perSecond, rates[1].perSecond, rates[0].cpu, rates[1].cpu)
	}
	columns.Flush()
}

// peerTurn is how many requests of a kind each server gets.
const peerTurn = 4000

// rate is how fast a server does something, and the processors' time that it takes for it.
type rate struct {
	perSecond float64
	cpu       time.Duration
}

// measure starts the server, has it create and read, and ends it.
func (p peer) measure(t *testing.T) (rates [2]rate) {
	t.Helper()
	port := freePort(t)
	ctx, cancel := context.WithCancel(t.Context())
	var args []string
	for _, arg := range p.command {
		args = append(args, strings.ReplaceAll(arg, "PORT", port))
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), strings.ReplaceAll(p.environment, "PORT", port))
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = cmd.Wait() // it was killed
	}()
	client := peerClient{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: peerClients}}, "session"}
	defer client.CloseIdleConnections()
	base := "http://127.0.0.1:" + port
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if strings.HasPrefix(p.name, "refserver") {
			client.session, _ = speedClient{base: base}.fill() // tried again until the server answers
		}
		err := client.ask(http.MethodGet, base+p.get, http.StatusOK)
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not answer: %v %.1000s", p.name, err, said.String())
		}
	}
	for i, each := range []struct {
		method, path string
		status       int
	}{{http.MethodPost, p.create, http.StatusCreated}, {http.MethodGet, p.get, http.StatusOK}} {
		before, began := cpuOf(t, cmd.Process.Pid), time.Now()
		var clients sync.WaitGroup
		for range peerClients {
			clients.Go(func() {
				for range peerTurn / peerClients {
					if err := client.ask(each.method, base+each.path, each.status); err != nil {
						t.Errorf("%s: %v", p.name, err)
						return
					}
				}
			})
		}
		clients.Wait()
		rates[i] = rate{peerTurn / time.Since(began).Seconds(), ((cpuOf(t, cmd.Process.Pid) - before) / peerTurn).Round(time.Microsecond)}
	}
	return rates
}

// peerClients are as many connections as a testkit.Load has.
const peerClients = 8

// peerClient asks a server, as a user where it has such.
type peerClient struct {
	*http.Client
	session string
}

func (c peerClient) ask(method, url string, status int) error {
	var body io.Reader
	if method == http.MethodPost {
		body = strings.NewReader(`{"verb":"like"}`)
	}
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		return err
	}
	request.SetBasicAuth(speedToken, c.session)
	request.Header.Set("User-Agent", "speed/1")
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err = io.Copy(io.Discard, response.Body); err == nil && response.StatusCode != status {
		err = fmt.Errorf("%s %s: %s", method, url, response.Status)
	}
	return err
}

// cpuOf is how long a process has had a processor.
func cpuOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	const ticks = 100 // a second, on every Linux
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		t.Fatal(err)
	}
	system, err := strconv.Atoi(fields[12])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * time.Second / ticks
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// serveMap keeps events in a map behind a mutex.
func serveMap(address string) error {
	var mu sync.Mutex
	events := map[int]map[string]any{1: {"id": 1, "verb": "like"}}
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, status int, event map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(event) // the client reports a broken answer
	}
	mux.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) {
		var event map[string]any
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		event["id"] = len(events) + 1
		events[len(events)+1] = event
		mu.Unlock()
		answer(w, http.StatusCreated, event)
	})
	mux.HandleFunc("GET /events/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("id"))
		mu.Lock()
		event := events[id]
		mu.Unlock()
		answer(w, http.StatusOK, event)
	})
	return http.ListenAndServe(address, mux)
}
