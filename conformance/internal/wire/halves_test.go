package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestManyCutsAreHiddenSoon has a target send nothing but marks of cuts, among which are the
// beginnings of secrets.
func TestManyCutsAreHiddenSoon(t *testing.T) {
	r := NewRedactor("the-app-token", "")
	for i := range 1500 {
		r.Learn(secretNo(i), "PASSWORD")
	}
	began := time.Now()
	shown := r.Text("the-ap…" + strings.Repeat("…", 10_000) + secretNo(7)[:8] + "…" + "the-app-t…the-a…")
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %s", took)
	}
	if want := "$APP_TOKEN_PART…" + strings.Repeat("…", 10_000) + "$PASSWORD_PART…$APP_TOKEN_PART…the-a…"; shown != want {
		t.Errorf("shown is %s … %s", shown[:40], shown[len(shown)-60:])
	}
}

func secretNo(i int) string { return fmt.Sprintf("%08x%056x", uint32(i)*2654435761, i) }
