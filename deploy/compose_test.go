package deploy_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
)

// composeService is a service of the compose file.
type composeService struct {
	Build       string            `json:"build"`
	Image       string            `json:"image"`
	Entrypoint  []string          `json:"entrypoint"`
	Command     []string          `json:"command"`
	Environment map[string]string `json:"environment"`
	Ports       []string          `json:"ports"`
	Volumes     []string          `json:"volumes"`
	Profiles    []string          `json:"profiles"`
	DependsOn   map[string]struct {
		Condition string `json:"condition"`
	} `json:"depends_on"`
	Health struct {
		Test     []string `json:"test"`
		Interval string   `json:"interval"`
		Timeout  string   `json:"timeout"`
		Retries  int      `json:"retries"`
	} `json:"healthcheck"`
}

func composeServices(t *testing.T) map[string]composeService {
	t.Helper()
	text, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]composeService `json:"services"`
		Volumes  map[string]any            `json:"volumes"`
	}
	if err := strictly(text, &file); err != nil {
		t.Fatal(err)
	}
	for name, service := range file.Services {
		for _, volume := range service.Volumes {
			source, at, _ := strings.Cut(volume, ":")
			if _, there := file.Volumes[source]; !there || !strings.HasPrefix(at, "/data") {
				t.Errorf("%s mounts %s, want a volume of the file at the folder that the image has for it", name, volume)
			}
		}
	}
	return file.Services
}

// entrypoint is the image's.
func entrypoint(t *testing.T) []string {
	t.Helper()
	all, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range all[len(all)-1].Commands {
		if c, ok := command.(*instructions.EntrypointCommand); ok {
			return c.CmdLine
		}
	}
	t.Fatal("the image has no entry point")
	return nil
}

// here is a service's command with its environment, as it runs on this machine: the image's files are in a folder,
// the volume is another one, and each address is replaced by one of this machine.
func (s composeService) here(t *testing.T, volume string, addresses *strings.Replacer) *exec.Cmd {
	t.Helper()
	line := slices.Concat(s.Entrypoint, s.Command)
	if s.Entrypoint == nil {
		line = slices.Concat(entrypoint(t), s.Command)
	}
	args := make([]string, len(line)-1)
	for i, arg := range line[1:] {
		args[i] = addresses.Replace(strings.ReplaceAll(arg, "=/data", "="+volume))
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(os.Getenv(builtVariable), line[0]), args...)
	cmd.Env = []string{}
	for name, value := range s.Environment {
		cmd.Env = append(cmd.Env, name+"="+strings.ReplaceAll(value, "${REFSERVER_CONTROL_TOKEN:-}", ""))
	}
	return cmd
}

// TestComposeFile runs the two services of the compose file as they are written, with the programs of the image.
func TestComposeFile(t *testing.T) {
	services, volume := composeServices(t), t.TempDir()
	fake, judge := services["fake"], services["judge"]
	if fake.Image != judge.Image || judge.DependsOn["fake"].Condition != "service_healthy" {
		t.Errorf("the judge runs in %s beside %v", judge.Image, judge.DependsOn)
	}
	for _, port := range fake.Ports {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("port %s is open to other machines", port)
		}
	}
	cmd := fake.here(t, volume, strings.NewReplacer("0.0.0.0:8443", "127.0.0.1:0", "0.0.0.0:8444", "127.0.0.1:0"))
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	said := map[string]string{}
	for lines := bufio.NewScanner(output); said["control"] == "" && lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		said[name] = strings.TrimSpace(value)
	}
	service, control := strings.Replace(said["base URL"], "localhost", "127.0.0.1", 1), strings.Replace(said["control"], "localhost", "127.0.0.1", 1)

	for host, want := range map[string]int{"fake:8444": http.StatusOK, "localhost:8444": http.StatusOK, "example.com:8444": http.StatusMisdirectedRequest} {
		if status, body := get(t, control+"/healthz", host); status != want {
			t.Errorf("/healthz as %s: %d %s, want %d", host, status, body, want)
		}
	}
	fake.isHealthy(t, strings.TrimPrefix(control, "http://"))
	_, byURL := get(t, control+"/ca.pem", "fake:8444")
	inVolume, err := os.ReadFile(filepath.Join(volume, "refserver-ca.pem"))
	if err != nil || !bytes.Equal(byURL, inVolume) {
		t.Errorf("the authority by its URL differs from that in the volume (%v):\n%s", err, byURL)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(byURL)
	connection, err := tls.Dial("tcp", strings.TrimPrefix(service, "https://"), &tls.Config{RootCAs: pool, ServerName: "fake"})
	if err != nil {
		t.Fatalf("as fake: %v", err)
	}
	connection.Close()

	judging := judge.here(t, volume, strings.NewReplacer("https://fake:8443", service))
	judging.Args = append(judging.Args, "--endpoint", "22")
	if out, err := judging.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// isHealthy runs the health check of a service, as it is written but for the address.
func (s composeService) isHealthy(t *testing.T, control string) {
	t.Helper()
	check := s.Health.Test
	if len(check) < 2 || check[0] != "CMD" || s.Health.Interval == "" || s.Health.Timeout == "" || s.Health.Retries == 0 {
		t.Fatalf("the health check is %+v", s.Health)
	}
	program := filepath.Join(os.Getenv(builtVariable), check[1])
	for address, want := range map[string]int{control: 0, "127.0.0.1:1": 1} {
		if o := run(t, t.TempDir(), nil, program, append(slices.Clone(check[2:]), "--control", address)...); o.code != want {
			t.Errorf("%v at %s: exit %d, want %d\n%s", check, address, o.code, want, o.output)
		}
	}
}

// get reads a page under the name of a host.
func get(t *testing.T, url, host string) (int, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(fmt.Errorf("reading %s: %w", url, err))
	}
	return answer.StatusCode, body
}
