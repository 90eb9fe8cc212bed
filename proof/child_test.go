package proof_test

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
	"github.com/socialfeed/conform/refserver/tlscert"
	"github.com/socialfeed/conform/scenarios"
)

// childVariable tells a copy of the test binary to judge servers, one after the
// other, as it is told on its standard input: one suite runs at a time in a process.
const childVariable = "PROOF_CHILD"

// order says which server to judge, and how.
type order struct {
	Fault, Dialect string
	Weather        int64 // the seed of what stands between, 0 for nothing
	Calm           bool  // and of that only copies that lag
	RateLimits     bool
	Refuses        rules.Endpoint // an endpoint that refuses everything
	RefusesWith    int
	Tolerated      int           // which of the statuses that rules tolerate is answered, from 1 on; 0 for none
	Seed           int64         // of the order of the scenarios, 1 unless set
	Jobs           int           // 8 unless set
	Reproduce      string        // the rule whose failure is to be shown again by a script
	Deep           time.Duration // for which stories are drawn, 0 for a plain run
	ToTheEnd       bool          // a deep run, which ends at its first failure otherwise
	Watch          bool          // what passes is judged as traffic, too
}

// verdict is what a child says of an order.
type verdict struct {
	Report       *result.Report
	Reproduction reproduction
	Acts         []int // the endpoints at which its fault was seen to act
	Traffic      trafficVerdict
	Error        string
}

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	log.SetOutput(io.Discard) // what faults make net/http complain about
	if err := child(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child judges the server of each order, until there are no more.
func child(in io.Reader, out io.Writer) error {
	orders, verdicts := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var o order
		if err := orders.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading an order: %w", err)
		}
		var v verdict
		var err error
		var acts footprint
		v.Report, v.Reproduction, err = o.judge(&acts, &v.Traffic)
		if v.Acts = acts.endpoints(); err != nil {
			v.Error = err.Error()
		}
		if err := verdicts.Encode(v); err != nil {
			return fmt.Errorf("writing a verdict: %w", err)
		}
	}
}

// judge judges the server of an order, and records where its fault acts.
func (o order) judge(acts *footprint, traffic *trafficVerdict) (*result.Report, reproduction, error) {
	options := refserver.Options{AppTokens: []string{"first-application-token", "second-application-token"}, PasswordCost: 1}
	config := conformance.Config{Settle: time.Second, Rate: 100_000, RateLimits: o.RateLimits, Seed: cmp.Or(o.Seed, 1), Jobs: o.Jobs, Deep: o.Deep}
	if !o.RateLimits { // what a run finds is measured, not how it waits where a fault makes it send more
		options.RateLimit = config.Rate
	}
	if o.Deep > 0 {
		options.RateLimit = -1
		if !o.ToTheEnd {
			config.MaxFailures = 1 // what is found soon leaves its time to the others
		}
	}
	between := climate{}
	if o.Weather != 0 {
		between = climateOf(o.Weather)
		if o.Calm {
			between = between.calm()
		}
		o.Dialect, config, options.RateLimit = between.Dialect, between.config, -1
	}
	fault, err := o.apply(&options, acts)
	if err != nil {
		return nil, reproduction{}, err
	}
	if o.Refuses != rules.NoEndpoint {
		options.WrapHandler = func(next http.Handler) http.Handler { return refusing(o.Refuses, o.RefusesWith, next) }
	}
	if o.Tolerated > 0 {
		options.WrapHandler = func(next http.Handler) http.Handler { return tolerating(o.Tolerated-1, next) }
	}
	server, err := refserver.New(options)
	if err != nil {
		return nil, reproduction{}, err
	}
	certificate, caPEM, err := tlscert.New() // whose signatures cost less than those of httptest's own
	if err != nil {
		return nil, reproduction{}, err
	}
	ts := httptest.NewUnstartedServer(server)
	ts.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	if o.Weather != 0 {
		newProxy(between, o.Weather, server).standBefore(ts)
	}
	if o.Watch {
		watching := watchTraffic(server, 2*options.Choices.Lag)
		ts.Config.Handler = watching.recorder
		defer func() { *traffic = watching.verdict() }() // once the server is closed
	}
	if fault.Listen != nil {
		ts.Listener = fault.Listen(ts.Listener, server)
	}
	ts.StartTLS()
	defer ts.Close()
	config.Target = conformance.Target{
		BaseURL: ts.URL, AppToken: options.AppTokens[0], SecondAppToken: options.AppTokens[1], CACert: caPEM,
	}
	report, err := conformance.Run(context.Background(), config, scenarios.Register)
	if err != nil {
		return nil, reproduction{}, fmt.Errorf("judging: %w", err)
	}
	if stats := server.Stats(); stats.Users > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d users were left on the server", stats.Users))
	}
	again, err := reproduce(report, o.Reproduce, config.Target)
	return report, again, err
}

// apply gives the server of an order its dialect or its fault, which it returns.
func (o order) apply(options *refserver.Options, acts *footprint) (faults.Fault, error) {
	if o.Dialect != "" {
		choices, err := refserver.Compose(o.Dialect)
		if err != nil {
			return faults.Fault{}, fmt.Errorf("a dialect: %w", err)
		}
		options.Choices = choices
		return faults.Fault{}, nil
	}
	if o.Fault == "" {
		return faults.Fault{}, nil
	}
	fault, err := faults.Find(o.Fault)
	if err == nil {
		acts.around(options, fault.Apply)
	}
	return fault, err
}

// judges are child processes that judge side by side. An order waits for one that is free.
type judges struct{ free chan *judge }

// judge is one child process.
type judge struct {
	in  *json.Encoder
	out *json.Decoder
}

// startJudges starts so many child processes; they end with the test.
func startJudges(t *testing.T, n int) *judges {
	t.Helper()
	all := &judges{free: make(chan *judge, n)}
	for range n {
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0]) // it ends with its input
		cmd.Env = append(os.Environ(), childVariable+"=1", "GOGC=400")             // memory is cheaper than time here
		cmd.Stderr = t.Output()
		in, err := cmd.StdinPipe()
		must(t, err)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		t.Cleanup(func() {
			in.Close()
			if err := cmd.Wait(); err != nil {
				t.Errorf("a child ended with %v", err)
			}
		})
		all.free <- &judge{json.NewEncoder(in), json.NewDecoder(out)}
	}
	return all
}

// judged has a child judge the server of an order.
func (j *judges) judged(o order) (*result.Report, error) {
	v, err := j.verdict(o)
	return v.Report, err
}

// verdict is what a child says of an order.
func (j *judges) verdict(o order) (verdict, error) {
	child := <-j.free
	defer func() { j.free <- child }()
	if err := child.in.Encode(o); err != nil {
		return verdict{}, fmt.Errorf("ordering %+v: %w", o, err)
	}
	var v verdict
	if err := child.out.Decode(&v); err != nil {
		return verdict{}, fmt.Errorf("reading the report on %+v: %w", o, err)
	}
	if v.Error != "" {
		return verdict{}, fmt.Errorf("judging %+v: %s", o, v.Error)
	}
	return v, nil
}
