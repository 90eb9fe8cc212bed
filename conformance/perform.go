package conformance

import (
	"context"
	"io"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
)

// stage guards Ginkgo, whose tree of specs is one per process.
var stage sync.Mutex

// perform plays scenarios as Ginkgo specs: in the order that the seed gives, one
// after the other, each within the run's context.
func (r *run) perform(ctx context.Context, drawn []*scenario) {
	stage.Lock()
	defer stage.Unlock()
	globals.Reset()
	defer globals.Reset()
	// The default reporter always prints; this is the switch that silences it.
	formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard

	for _, sc := range drawn {
		ginkgo.Describe(sc.text, func() {
			ginkgo.It("", ginkgo.Label(sc.labels()...), sc.location, func(spec ginkgo.SpecContext) {
				joined, cancel := join(spec, ctx)
				defer cancel()
				r.one(joined, sc, len(drawn))
			})
		})
	}
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomSeed = r.config.Seed
	suite.RandomizeAllSpecs = true
	suite.Timeout = r.config.Timeout
	suite.GracePeriod = cleanUpGrace
	reporter.Succinct, reporter.NoColor = true, true
	ginkgo.RunSpecs(noFailures{}, "conformance", suite, reporter)
}

// labels are the rules that a scenario judges, for whoever looks at the specs.
func (s *scenario) labels() ginkgo.Labels {
	var labels ginkgo.Labels
	for _, cl := range s.claims {
		labels = append(labels, cl.rule)
	}
	return labels
}

// noFailures stands in for a testing.T: outcomes are the checks', not the specs'.
type noFailures struct{}

// Fail does nothing.
func (noFailures) Fail() {}

// join makes a context that ends with either of two, with the run's cause.
func join(spec, run context.Context) (context.Context, context.CancelFunc) {
	joined, cancel := context.WithCancelCause(run)
	stop := context.AfterFunc(spec, func() { cancel(errInterrupted) })
	return joined, func() { stop(); cancel(nil) }
}
