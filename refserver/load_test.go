package refserver_test

import "runtime"

// heapAfterGC is how many bytes are in use.
func heapAfterGC() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
