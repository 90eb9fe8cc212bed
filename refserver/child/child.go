// Package child runs a command together with the reference server. Environment variables tell the
// command where the server is and which certificates to trust.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Service is what a command needs to know to use the server. Blank fields are left out
// of its environment.
type Service struct {
	BaseURL, AppToken        string
	CAFile                   string // path of the server's certificate authority
	Bundle                   string // path of that authority together with the system's roots
	ControlURL, ControlToken string
}

// Variable is one variable of an environment.
type Variable struct{ Name, Value string }

// Variables are the service as environment variables: our own names, and those that
// TLS libraries read. SSL_CERT_FILE and its like replace a program's roots instead of
// adding to them, so they name the bundle.
func (s Service) Variables() []Variable {
	list := []Variable{
		{"REFSERVER_URL", s.BaseURL}, {"REFSERVER_APP_TOKEN", s.AppToken}, {"REFSERVER_CA_FILE", s.CAFile},
		{"REFSERVER_CONTROL_URL", s.ControlURL}, {"REFSERVER_CONTROL_TOKEN", s.ControlToken},
		{"CONFORM_BASE_URL", s.BaseURL}, {"CONFORM_APP_TOKEN", s.AppToken}, {"CONFORM_CA_CERT", s.CAFile},
		{"NODE_EXTRA_CA_CERTS", s.CAFile}, {"DENO_CERT", s.CAFile},
	}
	for _, name := range []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE", "PIP_CERT"} {
		list = append(list, Variable{name, s.Bundle})
	}
	set := list[:0]
	for _, v := range list {
		if v.Value != "" {
			set = append(set, v)
		}
	}
	return set
}

// Bundle writes the system's roots and an authority to a new temporary file.
func Bundle(caPEM []byte) (path string, err error) {
	path, err = WriteTemp("refserver-bundle-*.pem", bytes.Join([][]byte{systemRoots(), caPEM}, []byte("\n")))
	if err != nil {
		return "", fmt.Errorf("writing the bundle of CAs: %w", err)
	}
	return path, nil
}

// WriteTemp writes a new temporary file; the pattern of its name is that of os.CreateTemp.
func WriteTemp(pattern string, data []byte) (path string, err error) {
	file, err := os.CreateTemp("", pattern)
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	return file.Name(), errors.Join(err, file.Close())
}

// systemRoots are the roots that programs on this machine use; nil where none are found.
func systemRoots() []byte {
	for _, path := range []string{
		os.Getenv("SSL_CERT_FILE"),
		"/etc/ssl/certs/ca-certificates.crt", // Debian, Alpine
		"/etc/pki/tls/certs/ca-bundle.crt",   // Fedora
		"/etc/ssl/ca-bundle.pem",             // SUSE
		"/etc/ssl/cert.pem",                  // macOS, BSD
	} {
		if roots, err := os.ReadFile(path); err == nil && path != "" {
			return roots
		}
	}
	return nil
}

// killWait is how long a command may go on after SIGTERM before it is killed.
const killWait = 10 * time.Second

// Command is a command line with the streams it reads and writes.
type Command struct {
	Args           []string // the program, then its arguments
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Run runs the command with the service in its environment, and returns its exit code,
// or 128 plus the number of the signal that ended it. When the context ends, the command
// gets SIGTERM.
func (c Command) Run(ctx context.Context, s Service) (int, error) {
	command := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = c.Stdin, c.Stdout, c.Stderr
	command.Env = os.Environ()
	for _, v := range s.Variables() {
		command.Env = append(command.Env, v.Name+"="+v.Value)
	}
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = killWait
	err := command.Run()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &ended):
		if status, ok := ended.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return 128 + int(status.Signal()), nil
		}
		return ended.ExitCode(), nil
	case ctx.Err() != nil: // it exited with 0 after SIGTERM
		return 128 + int(syscall.SIGTERM), nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return 0, fmt.Errorf("there is no command %s: is it spelled right, and on the search path?", c.Args[0])
	case errors.Is(err, fs.ErrPermission):
		return 0, fmt.Errorf("%s cannot be executed: is it a program, and executable?", c.Args[0])
	}
	return 0, err
}
