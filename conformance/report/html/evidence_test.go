package html

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// TestHTMLKeepsTheOrderOfExchanges: where one finds no room, the others stand in the order in
// which they were made, and every one that is missing is counted.
func TestHTMLKeepsTheOrderOfExchanges(t *testing.T) {
	exchange := func(body string) result.Exchange {
		return result.Exchange{Request: result.Request{Method: "GET", URL: "https://example.com/0.2/user"}, Response: &result.Response{Status: 500, Body: body}}
	}
	small, large := exchange("small"), exchange(strings.Repeat("large", 1000))
	check := func(exchanges ...result.Exchange) *view.Check {
		last := len(exchanges) - 1
		return &view.Check{Result: &result.Check{Exchanges: exchanges, Deciding: &last}}
	}
	shown := func(c *view.Check) *checked {
		room := 3 * markup
		e := &evidence{room, map[*view.Check]*checked{c: {}}}
		e.exchanges(c, true)
		e.exchanges(c, false)
		return e.of[c]
	}
	inOrder := shown(check(large, small, small))
	if len(inOrder.Exchanges) != 2 || inOrder.Exchanges[1].Label[:6] != "3 of 3" || inOrder.Missing != 1 {
		t.Errorf("%d are missing, and the last shown of %d is %s", inOrder.Missing, len(inOrder.Exchanges), inOrder.Exchanges[1].Label)
	}
	if without := shown(check(large, small, large)); len(without.Exchanges) != 1 || without.Missing != 2 {
		t.Errorf("%d are missing beside %d", without.Missing, len(without.Exchanges))
	}
}

func TestNamesOfFilesAreTame(t *testing.T) {
	if got := slug(`../../<script>Ünï`); got != "script-n" {
		t.Errorf("the name is %q", got)
	}
}
