package main

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestServerEndsWithItsInput starts it as other programs do: with its input as a pipe, and the tokens in the environment.
func TestServerEndsWithItsInput(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), binary, "--http", "--addr", "127.0.0.1:0", "--stop-with-stdin", "--log", "off")
	command.Env = append(os.Environ(), "REFSERVER_APP_TOKEN=first-app", "REFSERVER_SECOND_APP_TOKEN=second-app")
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	greeting := greeted(t, stdout)
	if strings.Contains(greeting, "first-app") || strings.Contains(greeting, "second-app") {
		t.Errorf("the greeting repeats a token of the environment:\n%s", greeting)
	}
	baseURL := field(t, greeting, "base URL")
	for _, token := range []string{"first-app", "second-app"} {
		if status := createUser(t, baseURL, "", token); status != http.StatusCreated {
			t.Errorf("creating a user in %s: status %d", token, status)
		}
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("after the end of its input: %v", err)
	}
}
