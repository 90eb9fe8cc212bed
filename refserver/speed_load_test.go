package refserver_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

// load is some connections that send one request again and again, and what that took.
type load struct {
	b       *testing.B
	server  figures
	request []byte
	status  string
	conns   []net.Conn

	sent      int
	wall, cpu time.Duration
}

func newLoad(b *testing.B, server figures, address string, request []byte, status string) *load {
	const clients = 8
	l := &load{b: b, server: server, request: request, status: status}
	for range clients {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() })
		l.conns = append(l.conns, conn)
	}
	return l
}

// send sends the request so many times.
func (l *load) send(times int) {
	cpu, began := l.server.cpuTime(l.b), time.Now()
	var work sync.WaitGroup
	for _, conn := range l.conns {
		work.Go(func() {
			reader := bufio.NewReaderSize(conn, 64<<10)
			for range times / len(l.conns) {
				if _, err := conn.Write(l.request); err != nil {
					l.b.Error(err)
					return
				}
				if err := skipAnswer(reader, l.status); err != nil {
					l.b.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	l.sent += times / len(l.conns) * len(l.conns)
	l.wall += time.Since(began)
	l.cpu += l.server.cpuTime(l.b) - cpu
}

// perSecond is by the clock; perCPUSecond by the processors' time of both
// processes, which others on the machine disturb less.
func (l *load) perSecond() float64    { return float64(l.sent) / l.wall.Seconds() }
func (l *load) perCPUSecond() float64 { return float64(l.sent) / l.cpu.Seconds() }

// report reports the rate, and that on two cores which the load has to itself.
func (l *load) report() {
	l.b.ReportMetric(l.perSecond(), "req/s")
	l.b.ReportMetric(2*l.perCPUSecond(), "req/s-on-2-cores")
}

// takeTurns lets two loads send in turns, after a first turn that does not count.
func takeTurns(b *testing.B, one, other *load) {
	const turn = 2000
	for i := -1; i < b.N/turn; i++ {
		if i == 0 {
			b.ResetTimer()
			one.sent, one.wall, one.cpu, other.sent, other.wall, other.cpu = 0, 0, 0, 0, 0, 0
		}
		one.send(turn)
		other.send(turn)
	}
	b.ReportMetric(one.perSecond()/other.perSecond(), "of-other")
	b.ReportMetric(one.perCPUSecond()/other.perCPUSecond(), "of-other-by-CPU")
}

// skipAnswer reads an answer that has a Content-Length.
func skipAnswer(reader *bufio.Reader, status string) error {
	line, err := reader.ReadSlice('\n')
	if err != nil || !bytes.Contains(line, []byte(status)) {
		return fmt.Errorf("the answer begins with %q (%w)", line, err)
	}
	length := 0
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			_, err := reader.Discard(length)
			return err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
}

func rawRequest(method, path, session, body string) []byte {
	request, _ := http.NewRequest(method, "http://127.0.0.1"+path, nil)
	request.SetBasicAuth(appToken, session)
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: speed/1\r\nAccept: application/json\r\nAuthorization: %s\r\n", method, path, request.Header.Get("Authorization"))
	if body != "" {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return []byte(head + "\r\n" + body)
}
