package model

func connectionActions() [ConnectAllBySocialID + 1]Action {
	return [...]Action{
		Follow: {
			Name:     "follow",
			OfTwo:    true,
			Connects: true,
		},
		RequestFriend: {
			Name:     "request friend",
			OfTwo:    true,
			Connects: true,
		},
		RequestMutually: {
			Name:     "request mutually",
			OfTwo:    true,
			Connects: true,
		},
		End: {
			Name:  "disconnect",
			OfTwo: true,
		},
		DisconnectBoth: {
			Name:  "disconnect both",
			OfTwo: true,
		},
		ConnectBySocialID: {
			Name:     "connect by social id",
			OfTwo:    true,
			Connects: true,
			Args:     chooseType,
		},
		ConnectAllBySocialID: {
			Name: "connect all by social id",
			Args: chooseType,
		},
	}
}

func chooseType(o *Op, n picks) { o.AsFriend = odd(n.value) }
