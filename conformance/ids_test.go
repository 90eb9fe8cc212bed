package conformance

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/client"
)

func idFrom(t *testing.T, literal string) client.ID {
	t.Helper()
	var id client.ID
	if err := json.Unmarshal([]byte(literal), &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestUnusedIDHasTheShapeOfRealOnes(t *testing.T) {
	for literal, shape := range map[string]string{
		`7`:                                      `^\d{10}$`,
		`"7"`:                                    `^"\d{10}"$`,
		`999999999`:                              `^\d{10}$`,
		`-7`:                                     `^-\d{10}$`,
		`12743631303647841`:                      `^127\d{14}$`,
		`"12743631303647841"`:                    `^"127\d{14}"$`,
		`1234567890`:                             `^123\d{7}$`,
		`"0b9d7c1e-1111-4222-8333-444455556666"`: `^"0b9d7c1e-1111-4222-8333-[0-9a-f]{12}"$`,
		`"ffffffff-ffff-4fff-bfff-ffffffffffff"`: `^"ffffffff-ffff-4fff-bfff-[0-9a-f]{12}"$`,
		`"65f1c0ffee65f1c0ffee1234"`:             `^"[0-9a-f]{24}"$`,
		`"0B9D7C1E00112233"`:                     `^"[0-9A-F]{16}"$`,
		`"u7"`:                                   `^"u\d+"$`,
		`"user-12"`:                              `^"user-\d+"$`,
		`"usr_x"`:                                `^"usr_x\d+"$`,
		`"ünï"`:                                  `^"ünï\d+"$`,
	} {
		real := idFrom(t, literal)
		for range 200 {
			form, err := json.Marshal(UnusedID(real))
			if err != nil {
				t.Fatal(err)
			}
			if !regexp.MustCompile(shape).Match(form) || string(form) == literal {
				t.Fatalf("for %s: %s, want the shape %s and another value", literal, form, shape)
			}
		}
	}
}

// Many short ids are in use on a target: one made of the same few characters
// would be another user's.
func TestUnusedIDIsFarFromShortOnes(t *testing.T) {
	used := map[string]bool{}
	for i := range 1000 {
		used["u"+strconv.Itoa(i)], used[strconv.Itoa(i)], used["a"+strconv.FormatInt(int64(i), 16)] = true, true, true
	}
	for id := range used {
		if unused := UnusedID(client.ParseID(id)); used[unused.String()] {
			t.Fatalf("for %s: %s, which is in use", id, unused)
		}
	}
}

func TestUnusedNumbersFitWhereShortOnesDo(t *testing.T) {
	for range 1000 {
		for _, literal := range []string{"0", "42", "123456789"} {
			n, err := strconv.ParseInt(UnusedID(idFrom(t, literal)).String(), 10, 32)
			if err != nil || n < 1_000_000_000 {
				t.Fatalf("for %s: %d, %v", literal, n, err)
			}
		}
	}
}

func FuzzUnusedID(f *testing.F) {
	for _, text := range []string{"7", "u7", "0b9d7c1e-1111-4222-8333-444455556666", "é", "-", "a\x00b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return
		}
		id := client.ParseID(text)
		unused := UnusedID(id)
		if unused.SameAs(id) || unused.IsZero() {
			t.Errorf("for %q: %q", text, unused)
		}
		if strings.Trim(text, "0123456789") == "" && strings.Trim(unused.String(), "0123456789") != "" {
			t.Errorf("for the number %q: %q", text, unused)
		}
	})
}
