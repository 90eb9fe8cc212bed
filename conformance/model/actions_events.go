package model

func eventActions() [SendDefect + 1]Action {
	return [...]Action{
		Post: {
			Name: "create event",
			Args: chooseValues,
		},
		Change: {
			Name: "update event",
			Args: func(o *Op, n picks) { o.Values, o.Event = n.value, n.which },
		},
		ChangeBack: {
			Name: "revert event",
			Args: chooseEvent,
		},
		UpdateEventSimilar: {
			Name: "update event similarly",
			Args: chooseEvent,
		},
		Remove: {
			Name: "delete event",
			Args: chooseEvent,
		},
		UseDeleted: {
			Name: "use deleted event",
			Args: func(o *Op, n picks) { o.Delete = odd(n.value) },
		},
		WriteForeign: {
			Name:  "write foreign",
			OfTwo: true,
			Args: func(o *Op, n picks) {
				o.Event, o.Write = n.which, ForeignWrite(n.value%len(foreignWrites()))
			},
		},
		SendDefect: {
			Name: "send defect",
			Args: func(o *Op, n picks) { o.Variant = n.value },
		},
	}
}

func chooseEvent(o *Op, n picks) { o.Event = n.which }
