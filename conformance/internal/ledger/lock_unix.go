//go:build unix

package ledger

import (
	"os"
	"syscall"
)

// lock marks a file as one of a run that goes on; the mark dies with the process. A
// file system without such marks has none, which costs a warning more at most.
func lock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// locked reports whether a file is one of a run that goes on.
func locked(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK
}
