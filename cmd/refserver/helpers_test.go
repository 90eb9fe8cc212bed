package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/tlscert"
)

// greeted reads a greeting up to its curl command, which ends it.
func greeted(t *testing.T, output io.Reader) string {
	t.Helper()
	return readUntil(t, output, "withLogin=true'")
}

func field(t *testing.T, greeting, name string) string {
	t.Helper()
	match := regexp.MustCompile(`(?m)^` + name + `: +(\S+)$`).FindStringSubmatch(greeting)
	if match == nil {
		t.Fatalf("no %q in the greeting:\n%s", name, greeting)
	}
	return match[1]
}

// createUser does what the greeting's curl command does, and returns the status.
func createUser(t *testing.T, baseURL, caFile, appToken string) int {
	t.Helper()
	transport := &http.Transport{ForceAttemptHTTP2: true}
	if caFile != "" {
		caPEM, err := os.ReadFile(caFile)
		if err != nil {
			t.Fatal(err)
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(caPEM)
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, baseURL+"/0.2/users", strings.NewReader(`{"user_name":"ann"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth(appToken, "")
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

// inProcess runs the command until the test cancels it; the channel gets its exit code.
func inProcess(t *testing.T, args ...string) (greeting string, stop context.CancelFunc, exit <-chan int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		result := run(ctx, args, writer, &stderr)
		writer.CloseWithError(io.ErrUnexpectedEOF)
		if result != exitOK {
			t.Logf("stderr: %s", stderr.String())
		}
		code <- result
	}()
	return greeted(t, reader), cancel, code
}

// ownCertificate writes a certificate, its key and its authority to files.
func ownCertificate(t *testing.T) (certFile, keyFile, caFile string) {
	t.Helper()
	certificate, caPEM, err := tlscert.New()
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(certificate.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	return write("cert.pem", certPEM), write("key.pem", keyPEM), write("ca.pem", caPEM)
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithCancel(t.Context())
}

func readUntil(t *testing.T, output io.Reader, end string) string {
	t.Helper()
	var text strings.Builder
	chunk := make([]byte, 4096)
	for !strings.Contains(text.String(), end) {
		n, err := output.Read(chunk)
		text.Write(chunk[:n])
		if err != nil {
			t.Fatalf("the output broke off: %v\n%s", err, text.String())
		}
	}
	return text.String()
}

// run runs the command as main does, without signals.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return program{stdout, stderr, context.Background()}.run(ctx, args)
}
