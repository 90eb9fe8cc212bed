package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUsersAreReadAgain has names of any length, a folder whose name looks like a pattern,
// and a last line that was cut.
func TestUsersAreReadAgain(t *testing.T) {
	const target, token = "https://feeds.example/", "app-token"
	dir := filepath.Join(t.TempDir(), "run [1]*")
	passwords := NewPasswords(token)
	l, err := Create(dir, target, passwords)
	if err != nil {
		t.Fatal(err)
	}
	users := []User{{UserName: "ada", Password: 1}, {Email: strings.Repeat("e", 100_000) + "@example.com", Password: 2}, {UserName: "bob", Password: 3, Second: true}}
	for _, user := range append(users, users[0]) {
		if err := l.Expect(user); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.file.WriteString(`{"user_name":"cu`); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(true); err != nil {
		t.Fatal(err)
	}
	left, err := Read(dir, strings.TrimSuffix(target, "/"), token)
	if err != nil || len(left) != 1 || len(left[0].Users) != len(users) {
		t.Fatalf("%d files are read, %v", len(left), err)
	}
	for i, user := range users {
		if left[0].Users[i] != user || left[0].Passwords.Make(user.Password) != passwords.Make(user.Password) {
			t.Errorf("%.80v is read as %.80v", user, left[0].Users[i])
		}
	}
	if other, err := Read(dir, "https://other.example", token); len(other) != 0 || err != nil {
		t.Errorf("the users of one target are read for another: %v", err)
	}
	if none, err := Read(filepath.Join(dir, "none"), target, token); len(none) != 0 || err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestALedgerIsKeptWhereUsersAreLeft ends runs with and without users that are left.
func TestALedgerIsKeptWhereUsersAreLeft(t *testing.T) {
	for _, left := range []bool{false, true} {
		dir := t.TempDir()
		l, err := Create(dir, "https://feeds.example", NewPasswords("app-token"))
		if err != nil {
			t.Fatal(err)
		}
		if during, err := Read(dir, "https://feeds.example", "app-token"); len(during) != 0 || err != nil {
			t.Errorf("the users of a run that goes on are read: %v", err)
		}
		if err := l.Close(left); err != nil {
			t.Fatal(err)
		}
		if files, err := os.ReadDir(dir); err != nil || (len(files) == 1) != left {
			t.Errorf("users are left: %v, and there are %d files, %v", left, len(files), err)
		}
	}
}
