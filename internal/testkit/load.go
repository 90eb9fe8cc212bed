package testkit

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Load is some connections that send one request again and again, and what that took.
type Load struct {
	tb      testing.TB
	meter   Meter
	request []byte
	status  string
	conns   []net.Conn

	sent   int
	wall   time.Duration
	server Cost          // of the process that serves
	client time.Duration // of the processors, in this process
}

// NewLoad connects to a server whose process the meter measures. Each answer is to have the status.
func NewLoad(tb testing.TB, meter Meter, address string, request []byte, status int) *Load {
	tb.Helper()
	const clients = 8
	l := &Load{tb: tb, meter: meter, request: request, status: fmt.Sprintf(" %d ", status)}
	for range clients {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { conn.Close() })
		l.conns = append(l.conns, conn)
	}
	return l
}

// Send sends the request so many times.
func (l *Load) Send(times int) {
	server, client, began := l.meter.read(l.tb), CPUTime(), time.Now()
	var work sync.WaitGroup
	for _, conn := range l.conns {
		work.Go(func() {
			reader := bufio.NewReaderSize(conn, 64<<10)
			for range times / len(l.conns) {
				if _, err := conn.Write(l.request); err != nil {
					l.tb.Error(err)
					return
				}
				if err := skipAnswer(reader, l.status); err != nil {
					l.tb.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	l.wall += time.Since(began)
	l.client += CPUTime() - client
	l.server = l.server.plus(l.meter.read(l.tb).minus(server))
	l.sent += times / len(l.conns) * len(l.conns)
}

// PerSecond is by the clock; PerCPUSecond by the processors' time of both
// processes, which others on the machine disturb less.
func (l *Load) PerSecond() float64    { return float64(l.sent) / l.wall.Seconds() }
func (l *Load) PerCPUSecond() float64 { return float64(l.sent) / (l.client + l.server.CPU).Seconds() }

// PerServerSecond is by the processors' time of the serving process alone.
func (l *Load) PerServerSecond() float64 { return float64(l.sent) / l.server.CPU.Seconds() }

// Allocs and Bytes are those of the serving process for each request.
func (l *Load) Allocs() float64 { return float64(l.server.Allocs) / float64(l.sent) }
func (l *Load) Bytes() float64  { return float64(l.server.Bytes) / float64(l.sent) }

func (l *Load) forget() { l.sent, l.wall, l.server, l.client = 0, 0, Cost{}, 0 }

func (l *Load) add(o *Load) {
	l.sent, l.wall, l.server, l.client = l.sent+o.sent, l.wall+o.wall, l.server.plus(o.server), l.client+o.client
}

// Turns are the rates of one load as a part of those of another that took turns with it: the medians of
// the turns' ratios.
type Turns struct {
	ByClock  float64
	ByCPU    float64 // of both processes
	ByServer float64 // of the serving process alone
}

// TakeTurns lets two loads send so many requests in turns, after a first turn that does not count.
func TakeTurns(turns, requests int, one, other *Load) Turns {
	one.Send(requests)
	other.Send(requests)
	sumOne, sumOther := *one, *other
	sumOne.forget()
	sumOther.forget()
	var clock, cpu, server []float64
	for range turns {
		one.forget()
		one.Send(requests)
		other.forget()
		other.Send(requests)
		clock = append(clock, one.PerSecond()/other.PerSecond())
		cpu = append(cpu, one.PerCPUSecond()/other.PerCPUSecond())
		server = append(server, one.PerServerSecond()/other.PerServerSecond())
		sumOne.add(one)
		sumOther.add(other)
	}
	*one, *other = sumOne, sumOther
	return Turns{median(clock), median(cpu), median(server)}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
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
