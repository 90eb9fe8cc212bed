package proof_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
)

// climate is what weather there is on the way to a server, and how little time the
// judge has for it. Probabilities are of one request, or of one connection.
type climate struct {
	Dialect string
	HTTP2   bool // HTTP/2 alone

	latency    time.Duration // at most
	drips      float64       // the answer comes in small pieces
	dripFor    time.Duration // at most
	cuts       float64       // the connection ends in the middle of an exchange
	resets     float64       // of the cuts: by a reset
	gateway    float64       // an intermediary's 502 or 504 in the server's place
	refusals   float64       // 503 and 429 in the server's place
	retryAfter string        // which they ask for, "" for none
	slowTLS    float64       // a handshake takes long
	tlsCuts    float64       // a handshake is cut
	behind     time.Duration // some of what is read is as old as this, back and forth
	late       bool          // copies may not know new users yet
	answers    int           // on one connection, which then ends unannounced; 0: no bound

	config conformance.Config
}

// weatherShards is how many parts the scenarios fall into, of which a run plays one: the
// same time has more weathers, and the order that a seed draws parts them anew.
const weatherShards = 4

// lag is how far behind the dialect is that lags, on top of which a copy may be.
const lag = 300 * time.Millisecond

// climateOf draws a climate. The calm parts matter, too: a run that loses every
// answer judges nothing.
func climateOf(seed int64) climate {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	dialects := refserver.Dialects()
	sometimes := func(most float64) float64 {
		if r.IntN(2) == 0 {
			return 0
		}
		return most * r.Float64()
	}
	upTo := func(most time.Duration) time.Duration { return time.Duration(r.Int64N(int64(most))) }
	c := climate{
		Dialect: dialects[r.IntN(len(dialects))].Name, HTTP2: r.IntN(6) == 0,
		latency: upTo(12 * time.Millisecond), drips: sometimes(0.05), dripFor: upTo(700 * time.Millisecond),
		cuts: sometimes(0.04), resets: r.Float64(), gateway: sometimes(0.02), refusals: sometimes(0.02),
		retryAfter: []string{"", "0", "1"}[r.IntN(3)], slowTLS: sometimes(0.3), tlsCuts: sometimes(0.1),
	}
	if r.IntN(3) == 0 {
		c.answers = 1 + r.IntN(9)
	}
	c.config = conformance.Config{
		Settle: 400*time.Millisecond + upTo(400*time.Millisecond), Hold: 50*time.Millisecond + upTo(300*time.Millisecond),
		RequestTimeout: 500*time.Millisecond + upTo(time.Second), Timeout: 90 * time.Second,
		Jobs: 1 << r.IntN(5), Rate: 100_000 * weatherShards, Seed: seed,
		Shard: conformance.Shard{Index: 1 + int(seed%weatherShards), Of: weatherShards},
	}
	if c.config.Jobs == 1 {
		c.latency = 0 // else it takes too long
	}
	if r.IntN(8) == 0 {
		c.config.Timeout = 300*time.Millisecond + upTo(2*time.Second)
	}
	if r.IntN(3) == 0 {
		c.behind = c.config.Settle - lag
	}
	return c
}

func (c climate) String() string {
	return fmt.Sprintf("%s http2=%t latency=%s drips=%.3f/%s cuts=%.3f resets=%.2f gateway=%.3f refusals=%.3f/%q tls=%.2f/%.2f answers=%d jobs=%d settle=%s hold=%s request=%s run=%s behind=%s",
		c.Dialect, c.HTTP2, c.latency, c.drips, c.dripFor, c.cuts, c.resets, c.gateway, c.refusals, c.retryAfter, c.slowTLS, c.tlsCuts,
		c.answers, c.config.Jobs, c.config.Settle, c.config.Hold, c.config.RequestTimeout, c.config.Timeout, c.behind)
}
