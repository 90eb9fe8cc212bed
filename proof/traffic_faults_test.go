package proof_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/model/traffic"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
	"golang.org/x/sync/errgroup"
)

// trafficVerdict is what the traffic of a run shows of a service, by the rules that are blamed.
type trafficVerdict struct {
	Alone  []string // by each answer alone
	Memory []string // by what was written before
	All    []string // the same where all traffic is presumed to be seen
}

// trafficWatch judges the traffic of a run twice.
type trafficWatch struct {
	recorder     *watch.Recorder
	queue        *watch.Queue
	memory, full *watch.Observer
}

func watchTraffic(server http.Handler, settle time.Duration) *trafficWatch {
	w := &trafficWatch{memory: watch.NewObserver(watch.Catalogue(), clients.Options{}), full: watch.NewObserver(watch.Catalogue(), clients.Options{})}
	w.memory.Remember(watch.Memory{Settle: settle})
	w.full.Remember(watch.Memory{AllTraffic: true, Settle: settle})
	w.queue = watch.NewQueue(func(x *clients.Exchange) {
		w.memory.See(x)
		w.full.See(x)
	})
	w.recorder = watch.NewRecorder(server, nil, w.queue.Put)
	return w
}

func (w *trafficWatch) verdict() (v trafficVerdict) {
	w.recorder.Wait()
	w.queue.Close()
	followed := traffic.FollowedRules()
	blamed := func(o *watch.Observer, memory bool) (all []string) {
		var report result.Report
		if err := o.Report(&report); err != nil {
			return []string{err.Error()}
		}
		for rule, check := range report.EachCheck() {
			if check.Broken > 0 && check.Side == watch.Service && slices.Contains(followed, rule.ID) == memory && !slices.Contains(all, rule.ID) {
				all = append(all, rule.ID)
			}
		}
		return all
	}
	return trafficVerdict{Alone: blamed(w.full, false), Memory: blamed(w.memory, true), All: blamed(w.full, true)}
}

// seenByTraffic counts the faults that traffic shows.
type seenByTraffic struct{ faults, alone, memory, all, own int }

// TestFaultsThatTrafficShows judges the traffic of the scenarios at the server with each of its faults, and tells
// how many are seen by each answer alone, and by what was written before.
// TRAFFIC_SHARES=n takes one in n, whose turn PROOF_TURN says; PROOF_FAULT is a pattern over names.
func TestFaultsThatTrafficShows(t *testing.T) {
	t.Parallel()
	sharesOf, turn := fromEnvironment(t, "TRAFFIC_SHARES", 250), fromEnvironment(t, "PROOF_TURN", 0)
	if os.Getenv("PROOF_FAULT") != "" {
		sharesOf = 1
	}
	all := slices.DeleteFunc(narrowed(faults.All()), func(f faults.Fault) bool {
		return f.Listen != nil || rates(f) || (int(hashOf("traffic"+f.Name))+turn)%sharesOf != 0
	})
	judges := startJudges(t, min(sideBySide, len(all)))
	verdicts := make([]trafficVerdict, len(all))
	var group errgroup.Group
	for i, fault := range all {
		group.Go(func() error {
			v, err := judges.verdict(order{Fault: fault.Name, Seed: 1, Watch: true})
			verdicts[i] = v.Traffic
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	byPart := map[string]*seenByTraffic{}
	for i, fault := range all {
		part, _, _ := strings.Cut(fault.Rule, ".")
		for _, key := range []string{part, "all"} {
			mu.Lock()
			row := cmp.Or(byPart[key], &seenByTraffic{})
			byPart[key] = row
			row.add(fault, verdicts[i])
			mu.Unlock()
		}
		t.Logf("%-40s %-50s %v", fault.Rule, fault.Name, verdicts[i])
	}
	table := fmt.Sprintf("\n%-14s %7s %7s %8s %12s %9s\n", "PART", "FAULTS", "ALONE", "+MEMORY", "+ALLTRAFFIC", "OWN RULE")
	for _, part := range slices.Sorted(maps.Keys(byPart)) {
		r := byPart[part]
		table += fmt.Sprintf("%-14s %7d %7d %8d %12d %9d\n", part, r.faults, r.alone, r.memory, r.all, r.own)
	}
	t.Log(table)
}

func (r *seenByTraffic) add(f faults.Fault, v trafficVerdict) {
	r.faults++
	alone, memory, all := len(v.Alone) > 0, len(v.Alone)+len(v.Memory) > 0, len(v.Alone)+len(v.All) > 0
	for n, seen := range map[*int]bool{&r.alone: alone, &r.memory: memory, &r.all: all || memory, &r.own: slices.Contains(slices.Concat(v.Alone, v.All), f.Rule)} {
		if seen {
			*n++
		}
	}
}

// TestNoDialectIsBlamedByTheScenariosTraffic judges the traffic of the scenarios at the server in its dialects.
// TRAFFIC_DIALECTS=n takes one in n, whose turn PROOF_TURN says.
func TestNoDialectIsBlamedByTheScenariosTraffic(t *testing.T) {
	t.Parallel()
	shares, turn := fromEnvironment(t, "TRAFFIC_DIALECTS", 12), fromEnvironment(t, "PROOF_TURN", 0)
	judges := startJudges(t, 2)
	var group errgroup.Group
	for i, dialect := range refserver.Dialects() {
		if (i+turn)%shares != 0 {
			continue
		}
		group.Go(func() error {
			v, err := judges.verdict(order{Dialect: dialect.Name, Seed: int64(turn + 1), Watch: true})
			if seen := v.Traffic; len(seen.Alone)+len(seen.Memory)+len(seen.All) > 0 {
				t.Errorf("dialect %s is blamed: %+v", dialect.Name, seen)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}
