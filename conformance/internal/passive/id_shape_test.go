package passive

import (
	"testing"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
)

func TestIDShape(t *testing.T) {
	for text, want := range map[string]string{
		`7`: "integer", `12743631303647841`: "integer", `-7`: "integer", `"7"`: "digit string", `"007"`: "digit string",
		`"0b9d7c1e-1111-4222-8333-444455556666"`: "UUID", `"0B9D7C1E-1111-4222-8333-44445555666F"`: "UUID",
		`"0b9d7c1e-1111-4222-8333-44445555666"`: "other", `"0b9d7c1e1111422283334444555566660000"`: "other", `"gb9d7c1e-1111-4222-8333-444455556666"`: "other",
		`"u7"`: "other", `""`: "other", `true`: "other", `null`: "other", `{}`: "other", `1.5`: "other", `1e3`: "other",
	} {
		if got := idShape(decodedText(t, text)); got != want {
			t.Errorf("idShape(%s) = %q, want %q", text, got, want)
		}
	}
}

func decodedText(t *testing.T, text string) any {
	t.Helper()
	value, err := jsonvalue.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}
