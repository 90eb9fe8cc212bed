//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

const (
	keptSecret = "a-secret-outside-the-folder"
	envToken   = "CONFORM_APP_TOKEN=a-token-to-be-kept"
)

// checkout is a folder as it comes from elsewhere, with something of the person's beside it.
type checkout struct {
	site
	outside string       // a folder beside it
	thief   string       // a URL that the folder's files name
	asked   atomic.Int32 // requests to the thief
}

func newCheckout(t *testing.T) *checkout {
	t.Helper()
	c := &checkout{}
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { c.asked.Add(1) }))
	t.Cleanup(thief.Close)
	home := t.TempDir()
	c.folder, c.outside, c.thief = filepath.Join(home, "checkout"), filepath.Join(home, "outside"), thief.URL
	for _, folder := range []string{c.folder, c.outside} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c.write(t, "../outside/secret", keptSecret)
	return c
}

func (c *checkout) link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(c.folder, name)); err != nil {
		t.Fatal(err)
	}
}

// unharmed sees that nothing outside the folder changed, and that nobody heard of it.
func (c *checkout) unharmed(t *testing.T, o outcome) {
	t.Helper()
	entries, err := os.ReadDir(c.outside)
	if err != nil || len(entries) != 1 || read(t, filepath.Join(c.outside, "secret")) != keptSecret {
		t.Errorf("the folder outside was changed: %v %v", entries, err)
	}
	if n := c.asked.Load(); n > 0 {
		t.Errorf("%d requests went to the thief", n)
	}
	if strings.Contains(o.stdout+o.stderr, keptSecret) {
		t.Errorf("the secret is told: %s%s", o.stdout, o.stderr)
	}
}

// A configuration file that is merely found in the folder, and whatever else is found there, reads
// and writes nothing outside, chooses no host and no trust for a token, and runs nothing. One
// line says which flag allows it.
func TestAFoundFileStaysInItsFolder(t *testing.T) {
	t.Parallel()
	atThief := []string{"--base-url", "THIEF", "--allow-http"}
	self := []string{"--self", "--rule", "versions.status"}
	for name, c := range map[string]struct {
		settings string
		link     [2]string // its target and its name
		env      []string
		args     []string
		says     string
	}{
		"token file behind a link":           {"app-token-file: token", [2]string{"../outside/secret", "token"}, nil, atThief, "say --app-token-file"},
		"token file behind an absolute link": {"app-token-file: token", [2]string{"OUTSIDE/secret", "token"}, nil, atThief, "say --app-token-file"},
		"token file in a linked folder":      {"app-token-file: a/secret", [2]string{"../outside", "a"}, nil, atThief, "say --app-token-file"},
		"token file above":                   {"app-token-file: ../outside/secret", [2]string{}, nil, atThief, "say --app-token-file"},
		"token file by its absolute path":    {"app-token-file: OUTSIDE/secret", [2]string{}, nil, atThief, "say --app-token-file"},
		"second token file":                  {"second-app-token-file: token", [2]string{"../outside/secret", "token"}, []string{envToken}, atThief, "say --second-app-token-file"},
		"certificate":                        {"ca-cert: ca.pem", [2]string{"../outside/secret", "ca.pem"}, nil, atThief, "say --ca-cert"},
		"waivers":                            {"waivers: waivers.yaml", [2]string{"../outside/secret", "waivers.yaml"}, nil, self, "say --waivers"},
		"corpus":                             {"corpus: stories", [2]string{"../outside/secret", "stories"}, nil, self, "say --corpus"},
		"corpus above":                       {"corpus: ../outside/secret", [2]string{}, nil, self, "say --corpus"},
		"corpus that nobody names":           {"", [2]string{"../../outside/secret", ".conform/corpus"}, nil, self, "say --corpus"},
		"folder of the corpus":               {"", [2]string{"../outside", ".conform"}, nil, append(self, "--corpus", ".conform/secret"), "holds no drawn story"},
		"last report":                        {"last-failed: last.json", [2]string{"../outside/secret", "last.json"}, nil, self, "say --last-failed"},
		"report above":                       {"report: [\"text=../outside/secret\"]", [2]string{}, nil, self, "say --report"},
		"report that is new":                 {"report: [\"text=../outside/new\"]", [2]string{}, nil, self, "say --report"},
		"report by its absolute path":        {"report: [\"json=OUTSIDE/secret\"]", [2]string{}, nil, self, "say --report"},
		"report behind a link":               {"report: [html=out]", [2]string{"../outside/secret", "out"}, nil, self, "say --report"},
		"report in a linked folder":          {"report: [json=a/secret]", [2]string{"../outside", "a"}, nil, self, "say --report"},
		"report behind a link to nothing":    {"report: [json=out]", [2]string{"../outside/new", "out"}, nil, self, "say --report"},
		"watched folder":                     {"watch: [..]", [2]string{}, nil, append(atThief, "--app-token", "x"), "say --watch"},
		"watched folder behind a link":       {"watch: [a]", [2]string{"../outside", "a"}, nil, append(atThief, "--app-token", "x"), "say --watch"},
		"the file itself behind a link":      {"", [2]string{"../outside/secret", "conform.yaml"}, nil, self, "say --config"},

		"host, token of the environment":        {"base-url: THIEF\nallow-http: true", [2]string{}, []string{envToken}, nil, "say --base-url THIEF --allow-http (or --config conform.yaml)"},
		"host, token of the folder":             {"base-url: THIEF\nallow-http: true\napp-token-file: conform.token", [2]string{}, nil, nil, "say --base-url THIEF --allow-http"},
		"host, token of the command line":       {"base-url: THIEF", [2]string{}, nil, []string{"--app-token", "x", "--allow-http"}, "say --base-url THIEF"},
		"host, second token of the environment": {"base-url: THIEF", [2]string{}, []string{"CONFORM_SECOND_APP_TOKEN=x"}, []string{"--allow-http"}, "say --base-url THIEF"},
		"host of a server of one's own":         {"base-url: THIEF", [2]string{}, []string{envToken}, []string{"--exec", "sleep 60"}, "say --base-url THIEF"},
		"trust of any certificate":              {"insecure: true", [2]string{}, []string{envToken}, []string{"--base-url", "https://feeds.example"}, "say --insecure"},
		"trust of its authority":                {"ca-cert: conform.yaml", [2]string{}, []string{envToken}, []string{"--base-url", "https://feeds.example"}, "say --ca-cert conform.yaml"},
		"plain HTTP":                            {"allow-http: true", [2]string{}, []string{envToken}, []string{"--base-url", "THIEF"}, "say --allow-http"},
		"plain HTTP beside a token file":        {"allow-http: true\napp-token-file: conform.token", [2]string{}, nil, []string{"--base-url", "THIEF"}, "say --allow-http"},
		"command":                               {"exec: touch ../outside/ran", [2]string{}, nil, nil, "say --exec"},
		"command, for a host":                   {"exec: touch ../outside/ran", [2]string{}, []string{envToken}, []string{"--base-url", "THIEF"}, "say --exec"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here := newCheckout(t)
			filled := func(text string) string {
				return strings.NewReplacer("THIEF", here.thief, "OUTSIDE", here.outside).Replace(text)
			}
			here.write(t, "conform.token", "a-token\n")
			if c.settings != "" {
				here.write(t, defaultConfigFile, filled(c.settings)+"\n")
			}
			if c.link[1] != "" {
				if parent := filepath.Dir(c.link[1]); parent != "." {
					if err := os.Mkdir(filepath.Join(here.folder, parent), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				here.link(t, filled(c.link[0]), c.link[1])
			}
			var args []string
			for _, arg := range c.args {
				args = append(args, filled(arg))
			}
			o := here.conform(t, c.env, args...)
			if name == "folder of the corpus" { // which the person named
				o.wants(t, exitUsage)
				return
			}
			here.unharmed(t, o)
			o.says(t, exitUsage, filled(c.says))
			o.fewLines(t, 1)
		})
	}
}

// What a person names on the command line may lie anywhere, by links too; and a file that
// --config names is as good as its settings on the command line.
func TestANamedFileMayReachFurther(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	here := newCheckout(t)
	here.write(t, "../outside/token", appToken)
	here.link(t, "../outside/token", "token")
	here.write(t, defaultConfigFile, "base-url: "+s.baseURL+"\nca-cert: "+filepath.Join(s.folder, "ca.pem")+
		"\napp-token-file: token\nrule: [versions.*]\nreport: [json=../outside/report.json]\n")
	here.conform(t, nil).says(t, exitUsage, "say --")
	here.conform(t, nil, "--config", defaultConfigFile).says(t, exitConformant, s.baseURL)
	here.conform(t, []string{"CONFORM_CONFIG=" + defaultConfigFile}).says(t, exitConformant, s.baseURL)
	if _, err := os.Stat(filepath.Join(here.outside, "report.json")); err != nil {
		t.Error(err)
	}
	here.write(t, defaultConfigFile, "rule: [versions.*]\nreport: [json=report.json]\n")
	o := here.conform(t, nil, "--base-url", s.baseURL, "--ca-cert", filepath.Join(s.folder, "ca.pem"), "--app-token-file", "token", "--report", "text=../outside/text")
	o.says(t, exitConformant, s.baseURL)
	if _, err := os.Stat(filepath.Join(here.outside, "text")); err != nil {
		t.Error(err)
	}
}

// Inside the folder a found file reads and writes as it likes, links inside included.
func TestAFoundFileReachesItsFolder(t *testing.T) {
	t.Parallel()
	here := newCheckout(t)
	for _, folder := range []string{"out", "real"} {
		if err := os.Mkdir(filepath.Join(here.folder, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	here.link(t, "real", "linked")
	here.link(t, "real/text", "text")
	here.write(t, "waivers.yaml", "[]\n")
	here.write(t, defaultConfigFile, "rule: [versions.status]\nself: true\nwaivers: waivers.yaml\nreport: [json=out/report.json, html=linked/page.html, text=text]\n")
	for range 2 {
		here.conform(t, nil).says(t, exitConformant, "settings from conform.yaml")
	}
	for _, name := range []string{"out/report.json", "real/page.html", "real/text"} {
		if info, err := os.Lstat(filepath.Join(here.folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A pipe in the folder does not hold a run up.
func TestAFoundPipeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"app-token-file: pipe", "waivers: pipe\nself: true", "corpus: pipe\nself: true", "report: [json=pipe]\nself: true"} {
		here := newCheckout(t)
		here.write(t, defaultConfigFile, settings+"\n")
		if err := syscall.Mkfifo(filepath.Join(here.folder, "pipe"), 0o600); err != nil {
			t.Fatal(err)
		}
		o := here.conform(t, nil, "--rule", "versions.status", "--base-url", here.thief, "--allow-http")
		if o.code == exitConformant || here.asked.Load() > 0 {
			t.Errorf("%s: exit %d: %s", settings, o.code, o.stderr)
		}
	}
}

// A link that is exchanged while a file is opened leads out at no moment.
func TestAFolderIsNotLeftWhileItChanges(t *testing.T) {
	t.Parallel()
	here := newCheckout(t)
	here.write(t, "inside", "inside")
	in := folder{here.folder, "say --flag"}
	name := filepath.Join(here.folder, "a")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 500 {
			for _, to := range []string{"inside", "../outside/secret"} {
				os.Remove(name)
				os.Symlink(to, name)
			}
		}
	}()
	for {
		if data, err := readBounded(in, "a"); err == nil && string(data) != "inside" {
			t.Fatalf("read %q", data)
		}
		if file, err := in.OpenFile("a", os.O_WRONLY, 0); err == nil {
			file.Close()
		}
		select {
		case <-done:
			here.unharmed(t, outcome{})
			return
		default:
		}
	}
}
