//go:build !linux

package refserver_test

// residentBytes is not measured here.
func residentBytes() uint64 { return 0 }
