package conformance

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
)

func TestAnExchangeOfSeveralChecksIsRedactedOnce(t *testing.T) {
	config, err := Config{Target: Target{BaseURL: "https://host", AppToken: "the-app-token"}, KeepEvidence: true}.complete()
	if err != nil {
		t.Fatal(err)
	}
	base, err := config.Target.base(nil)
	if err != nil {
		t.Fatal(err)
	}
	shown := newRenderer(newRun(&Runner{config: config, base: base}))
	redactions, redact := 0, shown.redact
	shown.redact = func(x *wire.Exchange) result.Exchange {
		redactions++
		return redact(x)
	}
	x := &wire.Exchange{Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: "host", Path: "/versions"}, Status: 200}
	for range 3 {
		check := shown.check(&Check{status: result.Pass, exchanges: []*wire.Exchange{x}}, "", wire.Transcript{})
		if len(check.Exchanges) != 1 || check.Exchanges[0].Request.URL != "https://host/versions" {
			t.Errorf("the check shows %v", check.Exchanges)
		}
	}
	if redactions != 1 {
		t.Errorf("the exchange is redacted %d times", redactions)
	}
}
