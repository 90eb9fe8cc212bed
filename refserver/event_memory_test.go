//go:build linux && !race

package refserver_test

import "testing"

// TestMemoryOfAnEvent: what the process takes of the machine for an event with an
// object stays below 1.2 KiB. The server runs in a process of its own;
// with the race detector it would take several times as much.
func TestMemoryOfAnEvent(t *testing.T) {
	const events, most = 100_000, 1.2 * 1024
	few, many := startSpeedServer(t, 0), startSpeedServer(t, events)
	each := (float64(many.RSS) - float64(few.RSS)) / events
	t.Logf("%.0f bytes of resident memory an event, %.0f of the heap", each, (float64(many.HeapBytes)-float64(few.HeapBytes))/events)
	if few.RSS == 0 || each > most {
		t.Errorf("an event takes %.0f bytes, want %.0f at most", each, most)
	}
}
