package play

import (
	"context"
	"sync"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/rules"
)

// counting counts requests by the category of their limit.
type counting struct {
	*fake
	mu      sync.Mutex
	w, r, d int
}

func (c *counting) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	c.mu.Lock()
	switch r.Endpoint {
	case rules.CreateUser, rules.Login, rules.UpdateMe, rules.CreateConnection, rules.ConnectSocial, rules.CreateEvent, rules.UpdateEvent:
		c.w++
	case rules.Logout, rules.DeleteMe, rules.DeleteConnection, rules.DeleteEvent:
		c.d++
	default:
		c.r++
	}
	c.mu.Unlock()
	return c.fake.Do(ctx, r)
}
