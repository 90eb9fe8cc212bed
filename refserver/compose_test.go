package refserver_test

import (
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
)

func TestDialectsCompose(t *testing.T) {
	got, err := refserver.Compose("lagging+uuid-ids")
	if want := (choices{Lag: 300 * time.Millisecond, UserIDs: refserver.UUIDs, EventIDs: refserver.UUIDs}); err != nil || got != want {
		t.Errorf("%+v (%v)", got, err)
	}
	for names, says := range map[string]string{
		"big-ids+uuid-ids": "user-ids is big in one and uuid in the other", "lagging+klingon": "klingon", "": `no dialect ""`,
	} {
		if _, err := refserver.Compose(names); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", names, err)
		}
	}
}

func TestChoicesByName(t *testing.T) {
	var c choices
	for _, set := range [][2]string{{"lag", "10s"}, {"user-ids", "uuid"}, {"omit-object-url", "true"}, {"duplicate-status", "409"}} {
		if err := c.Choose(set[0], set[1]); err != nil {
			t.Error(err)
		}
	}
	if want := (choices{Lag: 10 * time.Second, UserIDs: refserver.UUIDs, OmitObjectURL: true, DuplicateStatus: 409}); c != want {
		t.Errorf("%+v", c)
	}
	for _, wrong := range [][2]string{{"leg", "10s"}, {"lag", "10"}, {"user-ids", "roman"}, {"omit-object-url", "maybe"}, {"duplicate-status", "500"}} {
		if err := c.Choose(wrong[0], wrong[1]); err == nil || c.Lag != 10*time.Second || c.UserIDs != refserver.UUIDs {
			t.Errorf("%v: %v, %+v", wrong, err, c)
		}
	}
	for _, setting := range c.Settings() {
		if err := c.Choose(setting.Name, setting.Value); err != nil {
			t.Errorf("a setting that is listed cannot be set: %v", err)
		}
	}
}
