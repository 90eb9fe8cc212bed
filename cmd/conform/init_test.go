package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"go.yaml.in/yaml/v3"
)

// initialised writes a configuration file for a target, in a folder of its own.
func initialised(t *testing.T, flags []string, more ...string) (site, outcome) {
	t.Helper()
	s := site{folder: t.TempDir(), baseURL: flags[1]}
	o := s.conform(t, []string{"CONFORM_APP_TOKEN=" + appToken}, append([]string{"init", flags[0], flags[1], flags[4], flags[5]}, more...)...)
	return s, o
}

// TestInitWritesWhatARunTakes goes from nothing to a verdict in two commands.
func TestInitWritesWhatARunTakes(t *testing.T) {
	t.Parallel()
	server := reference(t, nil)
	s, o := initialised(t, serve(t, server))
	o.says(t, exitConformant, "wrote conform.yaml; judge the target with: conform")
	text := read(t, filepath.Join(s.folder, "conform.yaml"))
	if strings.Contains(text, appToken) {
		t.Error("the file holds the token")
	}
	for _, line := range []string{"base-url: " + s.baseURL, "# found: a request takes ", "# found: a feed shows a new event after ", "\n# settle: 3s\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("the file lacks %q:\n%s", line, text)
		}
	}
	empty(t, server)
	s.conform(t, []string{"CONFORM_APP_TOKEN=" + appToken}, "--config", "conform.yaml", "--rule", "versions.*").says(t, exitConformant, s.baseURL)
}

// TestInitExplainsEverySetting takes the comment signs away, and has a file that is understood.
func TestInitExplainsEverySetting(t *testing.T) {
	t.Parallel()
	s, _ := initialised(t, serve(t, reference(t, nil)), "-o", "drafted.yaml")
	var settings []string
	for line := range strings.Lines(read(t, filepath.Join(s.folder, "drafted.yaml"))) {
		key, _, found := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
		if found && !strings.Contains(key, " ") && key != "found" {
			settings = append(settings, strings.TrimPrefix(line, "# "))
		}
	}
	var keys map[string]any
	if err := yaml.Unmarshal([]byte(strings.Join(settings, "")), &keys); err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(settings, ""))
	}
	for _, name := range runFlags(t) {
		_, there := keys[name]
		if secret := name == "app-token" || name == "second-app-token"; there == (secret || name == "config") {
			t.Errorf("%s: there is a key: %v", name, there)
		}
	}
}

// TestInitMeasures a target that is far away and whose feeds lag.
func TestInitMeasures(t *testing.T) {
	t.Parallel()
	const away, lag = 30 * time.Millisecond, time.Second
	target := slowed(away, reference(t, func(o *refserver.Options) { o.Choices.Lag = lag }))
	s, o := initialised(t, serve(t, target))
	o.says(t, exitConformant)
	text := read(t, filepath.Join(s.folder, "conform.yaml"))
	if strings.Contains(text, "\njobs: ") {
		t.Errorf("a number of jobs that the run would choose better:\n%s", text)
	}
	if !strings.Contains(text, "\nsettle: ") || strings.Contains(text, "\nsettle: 3s") {
		t.Errorf("no settle time for feeds that lag:\n%s", text)
	}
}

// TestInitWritesNothingInVain leaves no file where the target cannot be judged, and spares one that is there.
func TestInitWritesNothingInVain(t *testing.T) {
	t.Parallel()
	nobody := []string{"--base-url", "https://127.0.0.1:1", "--app-token", appToken, "--ca-cert", certificateFile(t)}
	page := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(htmlPage)) }))
	sound := serve(t, reference(t, nil))
	for name, c := range map[string]struct {
		flags []string
		more  []string
		code  int
		says  string
	}{
		"nobody there":       {nobody, nil, exitNoVerdict, "refused"},
		"another service":    {page, nil, exitUsage, "does not look like the service"},
		"wrong token":        {sound, []string{"--app-token", "wrong"}, exitUsage, "refuses the app token"},
		"unknown authority":  {append(append([]string{}, sound[:5]...), certificateFile(t)), nil, exitUsage, "--ca-cert"},
		"folder is missing":  {sound, []string{"-o", "nowhere/conform.yaml"}, exitUsage, "the folder nowhere"},
		"an argument":        {sound, []string{"https://feeds.example.com"}, exitUsage, "unknown"},
		"a flag of no use":   {sound, []string{"--rule", "feed.*"}, exitUsage, "--rule"},
		"a target too many":  {[]string{"--base-url", "", "", "", "--ca-cert", sound[5]}, nil, exitUsage, "--base-url is empty"},
		"a mistyped variant": {sound, []string{"--ouput", "x"}, exitUsage, "--output"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := initialised(t, c.flags, c.more...)
			o.says(t, c.code, c.says)
			const most = 4
			o.fewLines(t, most)
			if _, err := os.Stat(filepath.Join(s.folder, "conform.yaml")); err == nil {
				t.Error("a file was written")
			}
		})
	}
	s, _ := initialised(t, sound)
	s.write(t, "conform.yaml", "mine")
	again := []string{"init", sound[0], sound[1], sound[4], sound[5]}
	token := []string{"CONFORM_APP_TOKEN=" + appToken}
	s.conform(t, token, again...).says(t, exitUsage, "is there already")
	if read(t, filepath.Join(s.folder, "conform.yaml")) != "mine" {
		t.Error("a file was written over")
	}
	s.conform(t, token, append(again, "--force")...).says(t, exitConformant, "wrote")
}

func certificateFile(t *testing.T) string {
	t.Helper()
	_, path := certificate(t)
	return path
}
