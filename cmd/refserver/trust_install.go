package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/socialfeed/conform/internal/shell"
)

// trustStore is a place on this machine that keeps authorities, and the command
// that adds one to it.
type trustStore struct {
	of      string // the programs that read it
	goos    string
	folder  string   // made before the command runs; "" for none
	command []string // program and arguments
}

// trustStores are the stores to which this machine has commands to add the authority in
// file. None of them needs more than the user's own rights.
func trustStores(home, file string) []trustStore {
	nss := filepath.Join(home, ".pki", "nssdb")
	keychain := filepath.Join(home, "Library", "Keychains", "login.keychain-db")
	return []trustStore{
		{"Chrome, Linux", "linux", nss, []string{"certutil", "-d", "sql:" + nss, "-A", "-t", "C,,", "-n", "refserver", "-i", file}},
		{"Chrome, Safari, macOS", "darwin", "", []string{"security", "add-trusted-cert", "-r", "trustRoot", "-k", keychain, file}},
		{"Chrome, Edge, Windows", "windows", "", []string{"certutil", "-user", "-addstore", "Root", file}},
	}
}

// shown is the command as it can be pasted.
func (s trustStore) shown() string {
	words := make([]shell.Word, len(s.command))
	for i, word := range s.command {
		words[i] = shell.Plain(word)
	}
	command := shell.Run(words...)
	if s.folder != "" {
		command = shell.Both(shell.Call("mkdir", shell.Plain("-p"), shell.Plain(s.folder)), command)
	}
	return shell.MustLine(command)
}

// installTrust adds the authority to the trust stores of a system, by the commands
// that the printed steps show.
func installTrust(ctx context.Context, stdout io.Writer, stores []trustStore, goos string) error {
	var failed []error
	done := 0
	for _, store := range stores {
		if store.goos != goos {
			continue
		}
		if err := installIn(ctx, store); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", store.of, err))
			continue
		}
		done++
		fmt.Fprintf(stdout, "Installed for %s: %s\n", store.of, store.shown())
	}
	if done == 0 && len(failed) == 0 {
		return fmt.Errorf("--install knows no trust store of %s: follow the steps that refserver trust prints", goos)
	}
	return errors.Join(failed...)
}

func installIn(ctx context.Context, store trustStore) error {
	tool, err := exec.LookPath(store.command[0])
	if err != nil {
		return fmt.Errorf("there is no %s on the search path (Debian has it in libnss3-tools)", store.command[0])
	}
	if store.folder != "" {
		if err := os.MkdirAll(store.folder, 0o700); err != nil {
			return fmt.Errorf("making the folder of the certificates: %w", err)
		}
	}
	out, err := exec.CommandContext(ctx, tool, store.command[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", store.shown(), err, strings.TrimSpace(string(out)))
	}
	return nil
}
