package main

import (
	"errors"
	"time"

	"github.com/socialfeed/conform/conformance/har"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/spf13/pflag"
)

// trafficMemory are the flags about what is remembered of traffic.
type trafficMemory struct {
	allTraffic bool
	settle     time.Duration
}

func (m *trafficMemory) bind(f *pflag.FlagSet) {
	f.BoolVar(&m.allTraffic, "all-traffic", false, "all clients of the service pass here: judge also what another client could have changed")
	f.DurationVar(&m.settle, "settle", watch.DefaultSettle, "how long an answer may lag behind a write")
}

func (m *trafficMemory) check() error {
	if m.settle < 0 {
		return errors.New("--settle must not be below zero")
	}
	return nil
}

// of is the memory for exchanges whose times are so uncertain.
func (m *trafficMemory) of(skew time.Duration) watch.Memory {
	return watch.Memory{AllTraffic: m.allTraffic, Settle: m.settle, Skew: skew}
}

// follow makes an observer remember what archives have, and returns a note if it cannot.
func (m *trafficMemory) follow(o *watch.Observer, t *har.Traffic, archives int) (note string) {
	switch {
	case t.Services() > 1:
		return "each answer was judged alone, not by what was written before: the traffic is of several services; --base-url names one"
	case archives > 1 && !m.allTraffic:
		return "each answer was judged alone, not by what was written before: the clocks of several archives may differ; --all-traffic says that they agree"
	}
	o.Remember(m.of(t.Skew))
	return ""
}
