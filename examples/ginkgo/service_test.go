// Package service shows the judge in a team's own Ginkgo suite: every scenario is
// a spec of it.
package service

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

func TestService(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Service")
}

var target conformance.Config

var _ = BeforeSuite(func() { target = service() })

var _ = conformance.Specs(func() conformance.Config { return target }, scenarios.Register)

var _ = It("has specs of its own beside them", func() {
	Expect(target.Target.BaseURL).To(HavePrefix("https://"))
})

// service is the one at CONFORM_BASE_URL, or a reference server in this process.
func service() conformance.Config {
	if url := os.Getenv("CONFORM_BASE_URL"); url != "" {
		ca, err := os.ReadFile(os.Getenv("CONFORM_CA_CERT"))
		Expect(err).NotTo(HaveOccurred())
		return conformance.Config{Target: conformance.Target{BaseURL: url, AppToken: os.Getenv("CONFORM_APP_TOKEN"), CACert: ca}}
	}
	handler, err := refserver.New(refserver.Options{AppTokens: []string{"token"}, RateLimit: -1})
	Expect(err).NotTo(HaveOccurred())
	server := httptest.NewTLSServer(handler)
	DeferCleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return conformance.Config{
		Target: conformance.Target{BaseURL: server.URL, AppToken: "token", CACert: ca},
		Rate:   100_000, Hold: 50 * time.Millisecond, // it lags in nothing, and limits nothing
	}
}
