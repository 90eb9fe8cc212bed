package proof_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
	"github.com/socialfeed/conform/refserver/tlscert"
	"github.com/socialfeed/conform/scenarios"
)

// orderVariable tells a copy of the test binary to judge one server and print
// the report: Ginkgo runs one suite at a time in a process.
const orderVariable = "PROOF_ORDER"

// order says which server to judge, and how.
type order struct {
	Fault, Dialect string
	RateLimits     bool
}

func TestMain(m *testing.M) {
	if text := os.Getenv(orderVariable); text != "" {
		if err := child(text, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child judges the server of an order and prints the report.
func child(text string, out io.Writer) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("reading the order: %w", err)
	}
	options := refserver.Options{AppTokens: []string{"first-application-token", "second-application-token"}}
	fault, err := o.apply(&options)
	if err != nil {
		return err
	}
	server, err := refserver.New(options)
	if err != nil {
		return err
	}
	log.SetOutput(io.Discard)                // what faults make net/http complain about
	certificate, caPEM, err := tlscert.New() // whose signatures cost less than those of httptest's own
	if err != nil {
		return err
	}
	ts := httptest.NewUnstartedServer(server)
	ts.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	if fault.Listen != nil {
		ts.Listener = fault.Listen(ts.Listener, server)
	}
	ts.StartTLS()
	defer ts.Close()
	judge, err := conformance.New(conformance.Config{
		Target: conformance.Target{
			BaseURL: ts.URL, AppToken: options.AppTokens[0], SecondAppToken: options.AppTokens[1],
			CACert: caPEM,
		},
		Settle: time.Second, Rate: 100_000, RateLimits: o.RateLimits, Seed: 1,
	}, scenarios.Register)
	if err != nil {
		return err
	}
	report, err := judge.Run(context.Background())
	if err != nil {
		return fmt.Errorf("judging: %w", err)
	}
	if stats, err := server.Stats(); err == nil && stats.Users > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d users were left on the server", stats.Users))
	}
	return json.NewEncoder(out).Encode(report)
}

// apply gives the server of an order its dialect or its fault, which it returns.
func (o order) apply(options *refserver.Options) (faults.Fault, error) {
	if o.Dialect != "" {
		for _, dialect := range refserver.Dialects() {
			if dialect.Name == o.Dialect {
				options.Choices = dialect.Choices
				return faults.Fault{}, nil
			}
		}
		return faults.Fault{}, fmt.Errorf("there is no dialect %q", o.Dialect)
	}
	if o.Fault == "" {
		return faults.Fault{}, nil
	}
	fault, err := faults.Find(o.Fault)
	if err == nil {
		fault.Apply(options)
	}
	return fault, err
}

// judged has a child judge the server of an order.
func judged(ctx context.Context, o order) (*conformance.Report, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), orderVariable+"="+string(text))
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("judging %+v: %w: %s", o, err, bytes.TrimSpace(complaints.Bytes()))
	}
	var report conformance.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return nil, fmt.Errorf("reading the report on %+v: %w", o, err)
	}
	return &report, nil
}
