package faults_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/socialfeed/conform/refserver/faults"
)

// TestSecondOrderFaultsShow takes each fault on the tour of its kind: what the
// server answers must differ from what one without the fault does.
func TestSecondOrderFaultsShow(t *testing.T) {
	tours := map[faults.Kind]func(*tour){
		faults.Data: dataTour, faults.Endpoint: endpointTour, faults.Input: inputTour, faults.Sequence: sequenceTour,
		faults.Scale: scaleTour, faults.Repetition: repetitionTour, faults.Concurrency: concurrencyTour, faults.Time: timeTour,
	}
	for kind, take := range tours {
		t.Run(string(kind), func(t *testing.T) {
			transcript := func(fault faults.Fault, right []string) (said []string) {
				synctest.Test(t, func(t *testing.T) {
					x := newTour(t, fault, right)
					x.take(take)
					said = x.said
				})
				return said
			}
			right := transcript(faults.Fault{}, nil)
			if again := transcript(faults.Fault{}, nil); !slices.Equal(right, again) {
				t.Fatal("two tours of the same server differ: ", firstDifference(right, again))
			}
			for _, fault := range faults.SecondOrder() {
				if fault.Kind != kind || overSockets[fault.Name] {
					continue
				}
				wrong := transcript(fault, right)
				if slices.Equal(right, wrong) {
					t.Errorf("fault %s does not show: %s", fault.Name, fault.Summary)
				}
				if testing.Verbose() {
					t.Logf("%s: %s", fault.Name, firstDifference(right, wrong))
				}
			}
		})
	}
}

// overSockets are the faults that need a connection to take over.
var overSockets = map[string]bool{"endpoint-204-of-user-with-body": true}

func firstDifference(right, wrong []string) string {
	for i := range min(len(right), len(wrong)) {
		if right[i] != wrong[i] {
			return fmt.Sprintf("\n\tright: %.900s\n\twrong: %.900s", right[i], wrong[i])
		}
	}
	return "one is longer"
}
