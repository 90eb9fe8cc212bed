package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/datafile"
)

// runLine runs a command line as a user would, without the environment of this test.
func runLine(t *testing.T, line string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c", line)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", line, err, output)
	}
	return string(output)
}

func TestGreetingsCurlWorksUnderEveryDialect(t *testing.T) {
	testkit.Needs(t, "curl")
	for _, dialect := range refserver.Dialects() {
		t.Run(dialect.Name, func(t *testing.T) {
			greeting, stop, exit := inProcess(t, "--addr", "127.0.0.1:0", "--control", "off", "--dialect", dialect.Name)
			defer stop()
			_, line, _ := strings.Cut(greeting, "Create a user:\n")
			if output := runLine(t, strings.Replace(line, "curl ", "curl -sS -w '%{http_code}' ", 1)); !strings.HasSuffix(output, "201") || !strings.Contains(output, "session_token") {
				t.Errorf("%s", output)
			}
			stop()
			<-exit
		})
	}
}

func TestAuthorityIsKeptInItsDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"trust", "--ca-dir", dir, "--host", "feeds.example.org"}, &stdout, &stderr); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	caFile := filepath.Join(dir, "refserver-ca.pem")
	for _, said := range []string{caFile, "NODE_EXTRA_CA_CERTS", "keytool", "network_security_config", "Certificate Trust Settings", "certutil", "10.0.2.2"} {
		if !strings.Contains(stdout.String(), said) {
			t.Errorf("trust does not tell of %s", said)
		}
	}
	first, err := os.ReadFile(caFile)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		greeting, stop, exit := inProcess(t, "--addr", "127.0.0.1:0", "--ca-dir", dir, "--host", "feeds.example.org", "--app-token", "given-app")
		if got := field(t, greeting, "CA file"); got != caFile {
			t.Errorf("CA file %s", got)
		}
		if status := createUser(t, field(t, greeting, "base URL"), caFile, "given-app"); status != http.StatusCreated {
			t.Errorf("status %d", status)
		}
		stop()
		<-exit
	}
	if again, err := os.ReadFile(caFile); err != nil || !bytes.Equal(first, again) {
		t.Errorf("the authority is another now (%v)", err)
	}
	stdout.Reset()
	if code := run(t.Context(), []string{"--addr", "127.0.0.1:0", "--ca-dir", dir, "--host", "other.example.org"}, &stdout, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "other.example.org") {
		t.Errorf("a host that the authority may not sign for: exit %d, %s", code, stderr.String())
	}
}

func TestPrintForScripts(t *testing.T) {
	testkit.Needs(t, "curl")
	for form, end := range map[string]string{"env": "PIP_CERT", "json": "}\n"} {
		reader, writer := io.Pipe()
		code := make(chan int, 1)
		ctx, stop := contextOf(t)
		go func() {
			code <- run(ctx, []string{"--addr", "127.0.0.1:0", "--print", form, "--log", "off"}, writer, io.Discard)
		}()
		text := readUntil(t, reader, end)
		if form == "json" {
			var told map[string]string
			if err := json.Unmarshal([]byte(text), &told); err != nil || told["base_url"] == "" || told["app_token"] == "" || told["control_url"] == "" {
				t.Errorf("%s: %v", text, err)
			}
		} else if output := runLine(t, text+"\ncurl -sS -A x -u \"$REFSERVER_APP_TOKEN:\" \"$REFSERVER_URL/versions\""); !strings.Contains(output, `"current"`) {
			t.Errorf("%s", output)
		}
		stop()
		if got := <-code; got != exitOK {
			t.Errorf("exit %d", got)
		}
	}
}

func TestExecRunsACommandBesideAServer(t *testing.T) {
	testkit.Needs(t, "curl")
	script := `curl -fsS -A x "$REFSERVER_URL/versions" && curl -fsS -H "Authorization: Bearer $REFSERVER_CONTROL_TOKEN" "$REFSERVER_CONTROL_URL/v1/worlds/default"; exit 7`
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"exec", "--seed", "demo:users=3,events=4", "--", "sh", "-c", script}, &stdout, &stderr); code != 7 {
		t.Errorf("exit %d, stderr %s", code, stderr.String())
	}
	if got := stdout.String(); !strings.Contains(got, `"current"`) || !strings.Contains(got, `"users": 3`) {
		t.Errorf("stdout %s, stderr %s", got, stderr.String())
	}
	if code := run(t.Context(), []string{"exec", "--", "sh", "-c", "kill -9 $$"}, io.Discard, io.Discard); code != 128+9 {
		t.Errorf("a command that was killed: %d", code)
	}
	if code := run(t.Context(), []string{"exec", "--", "true", "--dialect", "klingon"}, io.Discard, io.Discard); code != 0 {
		t.Errorf("a flag of the command's own: %d", code)
	}
}

func TestDataIsKeptOverRestarts(t *testing.T) {
	data := filepath.Join(t.TempDir(), "world.json")
	for n, args := range [][]string{{"--seed", "demo:users=2,events=3"}, {"--seed", "demo:users=9"}, nil} {
		greeting, stop, exit := inProcess(t, append([]string{"--addr", "127.0.0.1:0", "--http", "--app-token", "given-app", "--data", data}, args...)...)
		if told := strings.Contains(greeting, "every password is demo"); told != (n == 0) {
			t.Errorf("start %d tells of a seed: %t\n%s", n+1, told, greeting)
		}
		if status := createUser(t, field(t, greeting, "base URL"), "", "given-app"); status != http.StatusCreated {
			t.Errorf("status %d", status)
		}
		stop()
		if code := <-exit; code != exitOK {
			t.Errorf("exit %d", code)
		}
		file, state, err := datafile.Open(data, datafile.Options{})
		if err != nil || state == nil || len(state.Users) != 3+n {
			t.Fatalf("start %d: what is kept is %+v (%v)", n+1, state, err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v (%v)", info.Mode(), err)
	}
}

func TestOpenAPICommand(t *testing.T) {
	for format, says := range map[string]string{"yaml": "openapi: 3", "json": `"openapi": "3`, "http": "### 1.", "postman": "v2.1.0"} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{"openapi", "--format", format}, &stdout, &stderr); code != exitOK || !strings.Contains(stdout.String(), says) {
			t.Errorf("%s: exit %d %s", format, code, stderr.String())
		}
	}
}

func TestListChoices(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--list-choices"}, &stdout, &stderr); code != exitOK || !slices.ContainsFunc(strings.Split(stdout.String(), "\n"), func(line string) bool { return strings.HasPrefix(line, "lag ") }) {
		t.Errorf("exit %d\n%s", code, stdout.String())
	}
}

// Every command that the help lists has a manual page, which says the exit codes.
func TestManualPages(t *testing.T) {
	folder := t.TempDir()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"man", folder}, &stdout, &stderr); code != exitOK {
		t.Fatalf("exit %d %s", code, stderr.String())
	}
	for _, name := range []string{"refserver", "refserver-exec", "refserver-trust", "refserver-openapi"} {
		page, err := os.ReadFile(filepath.Join(folder, name+".1"))
		if err != nil || !bytes.Contains(page, []byte(".SH SYNOPSIS")) || !bytes.Contains(page, []byte(".SH OPTIONS")) || name == "refserver" && !bytes.Contains(page, []byte("Exit: 0")) {
			t.Errorf("%s: %v\n%s", name, err, page)
		}
	}
	if code := run(t.Context(), []string{"man"}, &stdout, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "man takes the folder") {
		t.Errorf("without a folder: exit %d %s", code, stderr.String())
	}
}
