package client

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestIDKeepsItsForm(t *testing.T) {
	for _, literal := range []string{
		`0`, `-1`, `7`, `9007199254740993`, `123456789012345678901234567890`,
		`"7"`, `"0042"`, `"9007199254740993"`, `"0d9c1a2e-6f3b-4f5e-9c0d-1b2a3c4d5e6f"`, `"é 😀"`,
	} {
		var id ID
		if err := json.Unmarshal([]byte(literal), &id); err != nil {
			t.Errorf("%s: %v", literal, err)
			continue
		}
		if got, err := json.Marshal(id); err != nil || string(got) != literal {
			t.Errorf("%s became %s (%v)", literal, got, err)
		}
		if id.String() != strings.Trim(literal, `"`) || fmt.Sprint(id) != id.String() || id.IsZero() {
			t.Errorf("%s reads %s", literal, id)
		}
	}
}

func TestIDRefuses(t *testing.T) {
	for _, literal := range []string{`1.5`, `1.0`, `1e3`, `1E3`, `true`, `false`, `null`, `""`, `{}`, `[]`, `[1]`} {
		id := ParseID("before")
		if err := json.Unmarshal([]byte(literal), &id); err == nil || id != ParseID("before") {
			t.Errorf("%s: taken as %q, %v", literal, id, err)
		}
	}
	for _, direct := range []string{``, `-`, `01`, `-01`, `+1`, ` 1`, `"`, `nul`} {
		if err := new(ID).UnmarshalJSON([]byte(direct)); err == nil {
			t.Errorf("%q is taken", direct)
		}
	}
	if got, err := json.Marshal(ID{}); err == nil {
		t.Errorf("the zero ID became %s", got)
	}
}

func TestIDComparison(t *testing.T) {
	number, text, other := NumberID(42), ParseID("42"), ParseID("43")
	if number == text || !number.SameAs(text) || !text.SameAs(number) || number.SameAs(other) {
		t.Error("SameAs compares text alone, == the form too")
	}
	seen := map[ID]bool{number: true}
	if !seen[NumberID(42)] || seen[text] || seen[other] {
		t.Error("an ID is a map key by text and form")
	}
	if !(ID{}).IsZero() || !ParseID("").IsZero() || NumberID(0).IsZero() {
		t.Error("only an ID without text is zero")
	}
}

func FuzzID(f *testing.F) {
	for _, seed := range []string{`0`, `-0`, `9007199254740993`, `"a"`, `"\u00e9"`, `"\ud800"`, `1e2`, `null`, ` 7 `, `""`, "\"\xff\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.UseNumber()
		var want any
		valid := json.Valid(data) && d.Decode(&want) == nil
		text, isText := want.(string)
		number, isNumber := want.(json.Number)
		integer := isNumber && !strings.ContainsAny(number.String(), ".eE")

		var id ID
		err := json.Unmarshal(data, &id)
		if taken := err == nil; taken != (valid && (integer || isText && text != "")) {
			t.Fatalf("%q: %v", data, err)
		}
		if err != nil {
			return
		}
		if id.String() != text+number.String() {
			t.Errorf("%q reads %q", data, id)
		}
		again, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		var back ID
		if err := json.Unmarshal(again, &back); err != nil || back != id {
			t.Errorf("%q came back as %q (%v)", data, again, err)
		}
	})
}
