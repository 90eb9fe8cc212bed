package testkit

import (
	"encoding/json"
	"net/http"
	"runtime"
	"testing"
	"time"
)

// Cost is a process's use of time and memory since its start, or between two moments.
type Cost struct {
	CPU    time.Duration
	Allocs uint64 // allocations of the heap
	Bytes  uint64 // of these
}

// ownCost is the cost of this process.
func ownCost() Cost {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return Cost{CPUTime(), memory.Mallocs, memory.TotalAlloc}
}

// plus is the sum of two costs.
func (c Cost) plus(d Cost) Cost { return Cost{c.CPU + d.CPU, c.Allocs + d.Allocs, c.Bytes + d.Bytes} }

// minus is the cost since an earlier moment.
func (c Cost) minus(d Cost) Cost { return Cost{c.CPU - d.CPU, c.Allocs - d.Allocs, c.Bytes - d.Bytes} }

// CostPath is where a server of a benchmark serves its process's cost.
const CostPath = "/cost"

// ServeCost serves what the process has used.
func ServeCost(w http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(w).Encode(ownCost()) // the reader tells of an error
}

// Meter is the address of a server that serves its process's cost.
type Meter string

func (m Meter) read(tb testing.TB) (c Cost) {
	tb.Helper()
	response, err := http.Get("http://" + string(m) + CostPath)
	if err != nil {
		tb.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&c); err != nil {
		tb.Fatal(err)
	}
	return c
}
