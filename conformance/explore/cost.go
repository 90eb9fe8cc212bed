package explore

import (
	"net/http"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// gridBill adds up the requests that a batch of cases takes on a target that is sound.
type gridBill struct {
	cost   story.Cost
	met    map[rules.Endpoint]bool
	prices map[rules.Endpoint]gridPrice // of endpoints that were asked for
}

// gridPrice is what requests to one endpoint take.
type gridPrice struct {
	refused, accepted story.Cost // one that must be refused, and one that may succeed
	controls          story.Cost // the plain ones before
}

// newGridBill returns what a batch takes without a case: its users, what is arranged between them,
// and the looks at the subject before and afterwards.
func newGridBill() *gridBill {
	const users, arranged, looks = 4, 3, 8
	return &gridBill{cost: story.Cost{Writes: users + arranged, Reads: looks, Deletes: users}, met: map[rules.Endpoint]bool{}, prices: map[rules.Endpoint]gridPrice{}}
}

// price returns what requests to an endpoint take, which is worked out once.
func (b *gridBill) price(at rules.Endpoint) gridPrice {
	price, known := b.prices[at]
	if !known {
		price = gridPrice{refused: RequestCost(at, false), accepted: RequestCost(at, true)}
		price.controls = price.accepted
		if at.Request().HasFurther() {
			price.controls = price.controls.Plus(price.accepted)
		}
		b.prices[at] = price
	}
	return price
}

// of returns what a case takes: its own request, and the controls of an endpoint that is new.
func (b *gridBill) of(c grid.Case) story.Cost {
	price := b.price(c.Endpoint)
	cost := price.accepted
	if len(c.Refused) > 0 {
		cost = price.refused
	}
	if !b.met[c.Endpoint] {
		cost = cost.Plus(price.controls)
	}
	return cost
}

func (b *gridBill) add(c grid.Case) {
	b.cost = b.cost.Plus(b.of(c))
	b.met[c.Endpoint] = true
}

// casesCost returns what a batch of cases takes.
func casesCost(cases []grid.Case) story.Cost {
	bill := newGridBill()
	for _, c := range cases {
		bill.add(c)
	}
	return bill.cost
}

// Within returns at most so many of the cases, in their order, that together take no more than
// the limit. A case that takes too much is passed over.
func Within(cases []grid.Case, limit story.Cost, most int) []grid.Case {
	var fit []grid.Case
	bill := newGridBill()
	for _, c := range cases {
		if len(fit) == most {
			break
		}
		if bill.cost.Plus(bill.of(c)).Within(limit) {
			bill.add(c)
			fit = append(fit, c)
		}
	}
	return fit
}

// RequestCost returns what a request takes with all that is made for it and deleted after it. One that may
// succeed uses up what it names.
func RequestCost(at rules.Endpoint, maySucceed bool) story.Cost {
	var cost story.Cost
	switch at.Method() {
	case http.MethodGet:
		cost.Reads = 1
	case http.MethodDelete:
		cost.Deletes = 1
	default:
		cost.Writes = 1
	}
	if at.EndsSession() { // a new user, who logs in again to be deleted
		return cost.Plus(story.Cost{Writes: 2, Deletes: 1})
	}
	if !maySucceed {
		return cost
	}
	if at == rules.CreateUser {
		cost.Deletes++
	}
	for _, source := range at.Request().Sources() {
		switch {
		case !UsesUp(at):
		case source == rules.OtherID && at == rules.DeleteConnection: // whom the sender follows first
			cost = cost.Plus(story.Cost{Writes: 2, Deletes: 1})
		case source == rules.OtherID:
			cost = cost.Plus(story.Cost{Writes: 1, Deletes: 1})
		case source == rules.OwnEventID:
			cost.Writes++
		}
	}
	return cost
}

// UsesUp reports whether a request that succeeds uses up the user or event that it names.
func UsesUp(at rules.Endpoint) bool {
	return at.Method() == http.MethodDelete || at == rules.CreateConnection
}
