package conformance

import (
	"io"
	"log"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // the HTTP library's remarks on hostile servers
	goleak.VerifyTestMain(m,
		// Ginkgo never stops listening to signals: one goroutine for each run in a process.
		goleak.IgnoreAnyFunction("github.com/onsi/ginkgo/v2/internal/interrupt_handler.(*InterruptHandler).registerForInterrupts.func2"))
}
