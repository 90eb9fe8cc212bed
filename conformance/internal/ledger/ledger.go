// Package ledger records the users that a run creates on a target in a file that survives when
// the run is killed. The file holds no secret: the passwords of a run are made of its app token
// and a number that is no secret.
package ledger

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Passwords makes the passwords of a run: hexadecimal digits, as a client sends a hash. They can
// be derived again from the app token.
type Passwords struct{ key, run string }

// NewPasswords makes those of a new run under an app token.
func NewPasswords(appToken string) Passwords { return Passwords{key: appToken, run: rand.Text()} }

// markSize is how many digits all passwords of a run begin with.
const markSize = 16

// Mark is what every password of the run begins with.
func (p Passwords) Mark() string { return p.digits("mark")[:markSize] }

// Make makes the n-th.
func (p Passwords) Make(n int) string { return p.Mark() + p.digits(fmt.Sprint(n))[:3*markSize] }

func (p Passwords) digits(of string) string {
	mac := hmac.New(sha256.New, []byte(p.key))
	mac.Write([]byte(p.run + "/" + of))
	return hex.EncodeToString(mac.Sum(nil))
}

// User is a user who may be on the target: the names by which it logs in, and which
// of the run's passwords it has.
type User struct {
	UserName string `json:"user_name,omitempty"`
	Email    string `json:"email,omitempty"`
	Password int    `json:"password"`
	Second   bool   `json:"second_app,omitempty"` // it is the second application's
}

// head is the first line of a ledger.
type head struct {
	Schema  string `json:"schema"`
	BaseURL string `json:"base_url"`
	Run     string `json:"run"`
}

const schema = "conform.users/v1"

// Ledger is the file of a run in the making; nil keeps none.
type Ledger struct {
	mu   sync.Mutex
	file *os.File
	open map[User]bool
}

// Create begins a ledger in a folder, which it makes if need be.
func Create(dir, baseURL string, passwords Passwords) (*Ledger, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder for the names of users: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, passwords.run+ending), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("beginning the file of users: %w", err)
	}
	l := &Ledger{file: file, open: map[User]bool{}}
	lock(file)
	if err := l.write(head{schema, baseURL, passwords.run}); err != nil {
		return nil, errors.Join(err, l.Close(false))
	}
	return l, nil
}

const ending = ".jsonl"

func (l *Ledger) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("writing down a user: %w", err)
	}
	return nil
}

// Expect records a user who is about to be created.
func (l *Ledger) Expect(user User) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[user] {
		return nil
	}
	l.open[user] = true
	return l.write(user)
}

// Close ends the ledger, and keeps its file only where users are left.
func (l *Ledger) Close(left bool) error {
	if l == nil {
		return nil
	}
	name := l.file.Name()
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("closing the file of users: %w", err)
	}
	if left {
		return nil
	}
	return os.Remove(name)
}

// Undeleted is the users of a run that did not end by itself.
type Undeleted struct {
	Path      string
	Passwords Passwords
	Users     []User
}

// Read reads the ledgers of runs on a target that are over.
func Read(dir, baseURL, appToken string) ([]Undeleted, error) {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the folder for the names of users: %w", err)
	}
	var all []Undeleted
	for _, file := range files {
		if filepath.Ext(file.Name()) != ending {
			continue
		}
		path := filepath.Join(dir, file.Name())
		left, ok, err := read(path, baseURL, appToken)
		if err != nil {
			return nil, fmt.Errorf("reading the file of users %s: %w", path, err)
		}
		if ok {
			all = append(all, left)
		}
	}
	return all, nil
}

func read(path, baseURL, appToken string) (left Undeleted, ok bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return left, false, err
	}
	defer file.Close()
	if locked(file) {
		return left, false, nil
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return left, false, err
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var h head
	if json.Unmarshal(first, &h) != nil || h.Schema != schema || strings.TrimRight(h.BaseURL, "/") != strings.TrimRight(baseURL, "/") {
		return left, false, nil
	}
	left = Undeleted{Path: path, Passwords: Passwords{key: appToken, run: h.Run}}
	for line := range bytes.Lines(rest) {
		var user User
		if json.Unmarshal(line, &user) == nil { // else the last line, which was cut
			left.Users = append(left.Users, user)
		}
	}
	return left, true, nil
}
