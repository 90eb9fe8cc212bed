package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/socialfeed/conform/internal/testkit"
)

// turnsVariable says how many turns of requests each measurement takes; the ordinary run takes few.
const turnsVariable = "REFSERVER_SPEED_TURNS"

// TestDefaultServerKeepsUpWithBareHTTP measures the server as the command starts it, its journal, its log
// and its limits included, in turns with net/http that sends the same bytes encoded beforehand. The
// limits are of the processors' time within the run and of allocations, never of the clock.
func TestDefaultServerKeepsUpWithBareHTTP(t *testing.T) {
	turns := 5
	if text := os.Getenv(turnsVariable); text != "" {
		var err error
		if turns, err = strconv.Atoi(text); err != nil || turns < 1 {
			t.Fatalf("%s: %q is no number of turns", turnsVariable, text)
		}
	}
	const turn = 1000
	server := startForSpeed(t)
	var table strings.Builder
	columns := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "request\treq/CPU-s\tbare\tof bare\tof bare, without the client\tallocs\tbare\tbytes\tbare")
	for _, a := range allAsked() {
		request := a.raw(server.Session)
		served := testkit.NewLoad(t, testkit.Meter(server.Bare), server.Served, request, a.Status)
		bare := testkit.NewLoad(t, testkit.Meter(server.Bare), server.Bare, request, a.Status)
		ratio := testkit.TakeTurns(turns, turn, served, bare)
		fmt.Fprintf(columns, "%s\t%.0f\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\n", a.Name, served.PerCPUSecond(), bare.PerCPUSecond(),
			ratio.ByCPU, ratio.ByServer, served.Allocs(), bare.Allocs(), served.Bytes(), bare.Bytes())
	}
	columns.Flush()
	t.Logf("\n%s", table.String())
}
