package wire

import (
	"reflect"
	"strings"
	"testing"
)

// A body is decoded for the first who asks, and let go of with the scenario.
func TestBodiesAreDecodedOnce(t *testing.T) {
	x := &Exchange{Body: []byte(`{"a":1}`), RespBody: []byte(`{"b":"` + strings.Repeat("x", maxKept) + `"}`)}
	sent, _ := x.Sent()
	first, err := x.Value()
	if err != nil {
		t.Fatal(err)
	}
	second, _ := x.Value()
	if reflect.ValueOf(first).Pointer() != reflect.ValueOf(second).Pointer() {
		t.Error("the body is decoded twice")
	}
	if reflect.ValueOf(sent).Pointer() == reflect.ValueOf(first).Pointer() {
		t.Error("one body is taken for the other")
	}
	x.Shrink()
	if _, err := x.Value(); err == nil || len(x.RespBody) != maxKept {
		t.Errorf("%d bytes are kept, and %v", len(x.RespBody), err)
	}
}
