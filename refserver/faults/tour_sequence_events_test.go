package faults_test

import "fmt"

// sequencesOfEvents takes the part of the sequence tour that is about changes and
// deletions of events.
func sequencesOfEvents(x *tour) {
	nameTakenOver(x)
	changeOfDeletedEvent(x)
	refusedChangeOfAnothers(x)
	changeAfterLogout(x)
	metadataRefusedFirst(x)
	changeOfNewestAfterDeletion(x)
	changeAfterForeignAttempt(x)
	deletionTriedByFollower(x)
	verbThenPlace(x)
	verbThenLocation(x)
	sixKeysAgain(x)
}

// nameTakenOver has two bearers of a name, one after the other: what is found by it
// is the second's, and what was posted under it is the first's.
func nameTakenOver(x *tour) {
	reader, first := x.create("reader of both"), x.create("coveted")
	x.connect(reader, first, "follow")
	event := x.post(first, `"verb":"v"`)
	x.rename(&first, "yielding")
	second := x.takeOver("coveted")
	x.search(reader, "coveted")
	x.change(second, event, `"location":"mine"`)
	x.feed(reader)
	x.remove(second)
	x.feed(reader)
}

func changeOfDeletedEvent(x *tour) {
	u := x.create("posts again")
	event := x.post(u, `"verb":"v"`)
	x.send(u.session, "DELETE", "/0.2/user/events/"+event, "")
	x.change(u, event, `"verb":"w"`)
	x.post(u, `"verb":"next"`)
	x.change(u, event, `"verb":"w"`)
}

// refusedChangeOfAnothers is followed by a change of the owner's, of another field:
// it must not bring along what was refused.
func refusedChangeOfAnothers(x *tour) {
	owner, other := x.create("owner"), x.create("no owner")
	event := x.post(owner, `"verb":"v","location":"here"`)
	x.change(other, event, `"location":"there"`)
	x.change(owner, event, `"priority":"1"`)
}

func changeAfterLogout(x *tour) {
	u := x.create("changes in another")
	event := x.post(u, `"verb":"v"`)
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	u.session = x.byName(u.name, password)
	x.change(u, event, `"location":"x"`)
}

func metadataRefusedFirst(x *tour) {
	u := x.create("is refused first")
	x.post(u, `"verb":"v","metadata":{"valid":"a","wrong":1}`)
	x.post(u, `"verb":"v","metadata":{"other":"b"}`)
}

func changeOfNewestAfterDeletion(x *tour) {
	poster := x.create("deletes the oldest")
	oldest, newest := x.post(poster, `"verb":"oldest"`), x.post(poster, `"verb":"newest"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+oldest, "")
	x.change(poster, newest, `"location":"L"`)
}

func changeAfterForeignAttempt(x *tour) {
	u, other := x.create("is meddled with"), x.create("meddles")
	event := x.post(u, `"verb":"v"`)
	x.change(other, event, `"verb":"meddled"`)
	x.change(u, event, `"location":"here"`)
}

func deletionTriedByFollower(x *tour) {
	reader, poster := x.create("tries to delete"), x.create("has what it tries to delete")
	x.connect(reader, poster, "follow")
	x.send(reader.session, "DELETE", "/0.2/user/events/"+x.post(poster, `"verb":"v"`), "")
	x.feed(reader)
}

func verbThenPlace(x *tour) {
	u := x.create("changes twice")
	event := x.post(u, `"verb":"like"`)
	x.change(u, event, `"verb":"love"`)
	x.change(u, event, `"location":"L"`)
}

func verbThenLocation(x *tour) {
	u := x.create("changes one after the other")
	event := x.post(u, `"verb":"like"`)
	x.change(u, event, `"verb":"love"`)
	x.change(u, event, `"location":"here"`)
}

// takeOver creates a user by a name that another gave up. The email is a new one,
// since who gave the name up may have kept the email.
func (x *tour) takeOver(name string) user {
	x.t.Helper()
	return x.created(name, fmt.Sprintf(`{"user_name":%q,"email":%q,"password":%q}`, name, "taker of "+name+"@example.com", password))
}

func sixKeysAgain(x *tour) {
	u, six := x.create("keeps six keys"), `"metadata":{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6"}`
	x.change(u, x.post(u, `"verb":"v"`, six), six)
}
