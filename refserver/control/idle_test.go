package control

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
)

func TestIdleWorldsGiveWay(t *testing.T) {
	fake, err := New(Options{Server: refserver.Options{AppTokens: []string{"app"}}})
	if err != nil {
		t.Fatal(err)
	}
	for n := range MaxWorlds - 1 {
		if _, _, err := fake.Open(fmt.Sprint(n), Settings{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := fake.Open("more", Settings{}); !errors.Is(err, errTooManyWorlds) {
		t.Errorf("%v", err)
	}
	for name, ago := range map[string]time.Duration{"7": time.Hour, "8": 2 * time.Hour, "9": time.Minute} {
		w, _ := fake.World(name)
		w.touched.Store(time.Now().Add(-ago).UnixNano())
	}
	fake.Default().touched.Store(0)
	if _, _, err := fake.Open("more", Settings{}); err != nil {
		t.Fatal(err)
	}
	if _, there := fake.World("8"); there || fake.Forgotten() != 1 || len(fake.tokens) != MaxWorlds-1 {
		t.Errorf("%d forgotten, %d tokens", fake.Forgotten(), len(fake.tokens))
	}
}
