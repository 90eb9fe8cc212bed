package proof_test

import (
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// TestNothingPassesWhereAllIsRefused judges servers of which one endpoint is not
// there, and refuses whatever it is asked: no refusal may pass for one, and no
// choice be told of it.
func TestNothingPassesWhereAllIsRefused(t *testing.T) {
	t.Parallel()
	catalogue := rules.Load()
	judges := startJudges(t, sideBySide)
	var group errgroup.Group
	for _, at := range rules.Endpoints() {
		group.Go(func() error {
			report, err := judges.judged(order{Refuses: at, RefusesWith: http.StatusNotFound})
			if err != nil {
				return err
			}
			for _, rule := range report.Rules {
				for _, check := range rule.Checks {
					if judged(check.Status) && check.Endpoint == at.String() && !passive(catalogue, rule.ID) && !ofThePath(rule.ID) {
						t.Errorf("%s refuses everything, and %s is a %s there: %s", at, rule.ID, check.Status, check.Message)
					}
				}
			}
			return nil
		})
	}
	must(t, group.Wait())
}

func passive(catalogue *rules.Catalogue, id string) bool {
	rule, _ := catalogue.Rule(id)
	return rule.Passive
}

func judged(s result.Status) bool {
	return slices.Contains([]result.Status{result.Pass, result.Warn, result.Observed}, s)
}

// ofThePath reports whether a rule is about methods that the endpoint is not asked by.
func ofThePath(rule string) bool {
	return slices.Contains([]string{"errors.method", "errors.method-allow", "transport.cors-preflight"}, rule)
}

// refusing answers everything that is asked of an endpoint with one status.
func refusing(at rules.Endpoint, status int, next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	for _, each := range rules.Endpoints() {
		if each != at {
			mux.Handle(each.Method()+" "+each.Path(), next)
			continue
		}
		mux.HandleFunc(each.Method()+" "+each.Path(), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "{}") // the judge may have hung up
		})
	}
	return mux
}
