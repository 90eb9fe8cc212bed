package refserver

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// BenchmarkLimiter counts one request from each of many addresses: the time for one
// is not to grow with their number.
func BenchmarkLimiter(b *testing.B) {
	for _, addresses := range []int{10_000, 20_000, 40_000} {
		b.Run(fmt.Sprint(addresses), func(b *testing.B) {
			for b.Loop() {
				l := newLimiter(1000, time.Now)
				for i := range addresses {
					l.take(windowKey{address: strconv.Itoa(i)})
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*addresses), "ns/address")
		})
	}
}
