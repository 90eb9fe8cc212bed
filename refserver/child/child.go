// Package child runs a command beside the fake: it tells the command by environment
// variables where the service is and what to trust, and passes signals on.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Service is what a command is told. What is blank it is not told.
type Service struct {
	BaseURL, AppToken        string
	CAFile                   string // the authority alone
	Bundle                   string // the authority beside the system's
	ControlURL, ControlToken string
}

// Variable is one of the environment.
type Variable struct{ Name, Value string }

// Variables are what programs read. The names of the bundle replace a program's own
// roots, so it holds the system's too.
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

// Bundle writes an authority beside the system's roots to a file of its own.
func Bundle(caPEM []byte) (path string, err error) {
	path, err = WriteTemp("refserver-bundle-*.pem", bytes.Join([][]byte{systemRoots(), caPEM}, []byte("\n")))
	if err != nil {
		return "", fmt.Errorf("writing the bundle of CAs: %w", err)
	}
	return path, nil
}

// WriteTemp writes a file of its own, whose name follows the pattern.
func WriteTemp(pattern string, data []byte) (path string, err error) {
	file, err := os.CreateTemp("", pattern)
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	return file.Name(), errors.Join(err, file.Close())
}

// systemRoots reads the roots that programs here would use; none is fine.
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

// killWait is how long a command may take to end once it was told to.
const killWait = 10 * time.Second

// Run runs a command and returns its code, 128 and the signal's number where a
// signal ended it. It is told to end with the context.
func Run(ctx context.Context, args []string, s Service, in io.Reader, out, errs io.Writer) (int, error) {
	command := exec.CommandContext(ctx, args[0], args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = in, out, errs
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
	case ctx.Err() != nil: // it ended well once it was told to
		return 128 + int(syscall.SIGTERM), nil
	}
	return 0, err
}
