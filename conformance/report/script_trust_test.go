package report

import (
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestScriptsTrustTheRecordedAuthority: a CURL_CA_BUNDLE that a machine presets does not count
// against the authority of the report; CA_CERT does.
func TestScriptsTrustTheRecordedAuthority(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"number":1}`)) }))
	defer server.Close()
	dir := t.TempDir()
	authority := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	right := authority("the target's.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	other := authority("other.pem", []byte("no authority of the target's\n"))
	gone := filepath.Join(dir, "gone.pem")
	recorded := func(file string) []string { return []string{"--ca-cert", file} }
	for name, test := range map[string]struct {
		trust []string
		env   []string
		code  int
		says  string
	}{
		"recorded":                        {recorded(right), nil, 1, "the failure is there"},
		"recorded, of a started target":   {append(recorded(right), "--exec", "python3 server.py"), nil, 1, "the failure is there"},
		"recorded, beside a preset":       {recorded(right), []string{"CURL_CA_BUNDLE=" + other, "SSL_CERT_FILE=" + other}, 1, "the failure is there"},
		"CA_CERT, beside a preset":        {recorded(other), []string{"CA_CERT=" + right, "CURL_CA_BUNDLE=" + other}, 1, "the failure is there"},
		"CA_CERT where none was recorded": {nil, []string{"CA_CERT=" + right, "CURL_CA_BUNDLE=" + other}, 1, "the failure is there"},
		"recorded, and no longer there":   {recorded(gone), []string{"CURL_CA_BUNDLE=" + right}, 2, "no authority in " + gone + ": set CA_CERT to its file"},
		"no certificate is looked at":     {[]string{"--insecure"}, []string{"CURL_CA_BUNDLE=" + other}, 1, "the failure is there"},
	} {
		t.Run(name, func(t *testing.T) {
			step := result.Step{Method: http.MethodGet, Path: exactly(rules.Versions.Path()), Headers: usualFields()}
			check := result.Check{Reproduction: &result.Reproduction{Steps: []result.Step{step}, Answer: result.Answer{Status: 200, Body: exactly(`{"number":1}`),
				Headers: []result.Field{{Name: "Content-Type", Value: exactly("text/plain; charset=utf-8")}}}}}
			r := &result.Report{Target: result.Target{BaseURL: server.URL, Trust: test.trust}}
			var text strings.Builder
			if err := script.Write(&text, script.Shell, r, result.Rule{ID: "versions.body"}, check); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), "sh")
			run.Stdin, run.Dir = strings.NewReader(text.String()), t.TempDir()
			run.Env = append(append(run.Environ(), "APP_TOKEN=first"), test.env...)
			out, err := run.CombinedOutput()
			if err != nil && !errors.As(err, new(*exec.ExitError)) {
				t.Fatal(err)
			}
			if code := run.ProcessState.ExitCode(); code != test.code || !strings.Contains(string(out), test.says) {
				t.Errorf("exit %d, want %d and %q:\n%s", code, test.code, test.says, out)
			}
		})
	}
}
