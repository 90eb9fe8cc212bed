package wire

import (
	"reflect"
	"strings"
	"testing"
)

// A body is decoded for the first who asks, and let go of with the scenario. The values
// of a long one are held by nobody.
func TestBodiesAreDecodedOnce(t *testing.T) {
	long := `{"b":"` + strings.Repeat("x", maxKept) + `"}`
	for body, once := range map[string]bool{`{"b":"x"}`: true, long: false} {
		x := &Exchange{Body: []byte(`{"a":1}`), RespBody: []byte(body), size: len(body)}
		sent, _ := x.Sent()
		first, err := x.Value()
		if err != nil {
			t.Fatal(err)
		}
		second, _ := x.Value()
		if same := reflect.ValueOf(first).Pointer() == reflect.ValueOf(second).Pointer(); same != once {
			t.Errorf("the values of %d bytes are held: %t", len(body), same)
		}
		if reflect.ValueOf(sent).Pointer() == reflect.ValueOf(first).Pointer() {
			t.Error("one body is taken for the other")
		}
		x.Shrink()
		if _, err := x.Value(); x.Cut() != (body == long) || (err != nil) != x.Cut() || len(x.RespBody) != min(len(body), maxKept) {
			t.Errorf("%d bytes are kept of %d, and %v", len(x.RespBody), len(body), err)
		}
	}
}
