//go:build unix

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestAnUpgradedConnectionDoesNotHoldTheEnd interrupts conform watch while a connection through it
// is upgraded and stays open.
func TestAnUpgradedConnectionDoesNotHoldTheEnd(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	target := servePlain(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = buffered.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_ = buffered.Flush()
		<-over
	}))
	cmd, _, diagnostics := begun(t, "watch", "--upstream", target[1], "--allow-http", "--http", "--addr", "127.0.0.1:0")
	at := diagnostics.until(t, 0, "point the client at http://")
	diagnostics.until(t, at, ";")
	diagnostics.mu.Lock()
	address, _, _ := strings.Cut(diagnostics.text.String()[at:], ";")
	diagnostics.mu.Unlock()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /socket HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", address)
	if response, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", response, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitNoVerdict {
		t.Errorf("exit %d: %s", code, diagnostics.text.String())
	}
}
