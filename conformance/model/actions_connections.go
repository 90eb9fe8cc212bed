package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

func connectionActions() [ConnectAllBySocialID + 1]Action {
	return [...]Action{
		Follow: {
			Name:      "follow",
			OfTwo:     true,
			Connects:  true,
			Perform:   (*run).connect,
			Across:    (*crossApp).connectThere,
			AtOnce:    (*run).followAtOnce,
			Conflicts: []Kind{RequestFriend, End},
			Cost:      Cost{Writes: 1},
		},
		RequestFriend: {
			Name:      "request friend",
			OfTwo:     true,
			Connects:  true,
			Perform:   (*run).connect,
			Across:    (*crossApp).connectThere,
			AtOnce:    (*run).requestAtOnce,
			Conflicts: []Kind{Follow, End},
			Cost:      Cost{Writes: 1},
		},
		RequestMutually: {
			Name:     "request mutually",
			OfTwo:    true,
			Connects: true,
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				o.Kind = RequestFriend
				views := t.connect(ctx, o, p)
				t.connect(ctx, o, p.reversed())
				return append(views, own(rules.Feed, p.to), own(rules.MyFriends, p.to))
			},
			Across: (*crossApp).connectThere,
			Cost:   Cost{Writes: 2, Deletes: 2},
		},
		End: {
			Name:      "disconnect",
			OfTwo:     true,
			Perform:   (*run).end,
			Across:    (*crossApp).endThere,
			AtOnce:    (*run).endAtOnce,
			Conflicts: []Kind{Follow, RequestFriend, End},
			Violates:  []string{"feed.unfollow", "connections.delete."},
			Cost:      Cost{Deletes: 1},
			Views:     moreViews,
		},
		DisconnectBoth: {
			Name:     "disconnect both",
			OfTwo:    true,
			Perform:  (*run).disconnectBoth,
			Across:   (*crossApp).endThere,
			Violates: []string{"feed.unfollow", "connections.delete."},
			Cost:     Cost{Deletes: 2},
		},
		ConnectBySocialID: {
			Name:     "connect by social id",
			OfTwo:    true,
			Connects: true,
			Args:     chooseType,
			Perform:  (*run).social,
			Across:   (*crossApp).connectBySocialID,
			Cost:     Cost{Writes: 1, Reads: 1}, // and a read of the list
		},
		ConnectAllBySocialID: {
			Name:    "connect all by social id",
			Args:    chooseType,
			Perform: (*run).connectAllBySocialID,
			Cost:    Cost{Writes: 1, Reads: 1},
		},
	}
}

func chooseType(o *Op, n picks) { o.AsFriend = odd(n.value) }
