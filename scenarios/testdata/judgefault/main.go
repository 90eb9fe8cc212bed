// Command judgefault judges the reference server, with the fault that its second argument
// names if there is one, by the rules that match the first argument. It prints the ids of the
// rules that do not pass. A test builds it with a rule that is not in the repository.
package main

import (
	"context"
	"encoding/pem"
	"fmt"
	"log"
	"net/http/httptest"
	"os"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
	"github.com/socialfeed/conform/scenarios"
)

func main() {
	options := refserver.Options{AppTokens: []string{"token"}, RateLimit: -1}
	if len(os.Args) > 2 {
		fault, err := faults.Find(os.Args[2])
		if err != nil {
			log.Fatal(err)
		}
		fault.Apply(&options)
	}
	handler, err := refserver.New(options)
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewTLSServer(handler)
	defer server.Close()
	config := conformance.Config{Target: conformance.Target{BaseURL: server.URL, AppToken: "token",
		CACert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})}}
	config.Selection.Rules = []string{os.Args[1]}
	runner, err := conformance.New(config, scenarios.Register)
	if err != nil {
		log.Fatal(err)
	}
	report, err := runner.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, rule := range report.Rules {
		switch rule.Status {
		case result.Pass, result.Observed, result.Skipped:
		default:
			fmt.Println(rule.ID)
		}
	}
}
