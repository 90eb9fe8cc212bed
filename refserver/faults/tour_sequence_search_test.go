package faults_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

// sequencesOfSearches takes the part of the sequence tour that is about searches.
func sequencesOfSearches(x *tour) {
	searchesRepeated(x)
	emailAfterLogin(x)
	recordsBeforeAndAfter(x)
	searchAfterRefusal(x)
	followedAndDeleted(x)
	renamedThenDeleted(x)
	deletedAfterRename(x)
	nameTakenUpAgain(x)
	changedOneByOne(x)
}

// changedOneByOne changes what a user is found by, one attribute after the other.
func changedOneByOne(x *tour) {
	looker, u := x.create("looks for the new"), x.created("larch", fmt.Sprintf(`{"user_name":"larch","last_name":"Alder","email":"elm@example.com","password":%q}`, password))
	state := map[string]string{"user_name": "larch", "last_name": "Alder", "email": "elm@example.com"}
	for _, change := range [][2]string{{"user_name", "hornbeam"}, {"last_name", "Hazel"}, {"email", "rowan@example.com"}} {
		state[change[0]] = change[1]
		body, _ := json.Marshal(state) // of texts: it always encodes
		x.send(u.session, "PUT", "/0.2/user", string(body))
		x.search(looker, strings.ToLower(change[1]))
	}
}

// searchesRepeated searches for the same before and after what changes the results.
func searchesRepeated(x *tour) {
	looker := x.create("looks again")
	x.search(looker, "quagga")
	quagga := x.create("quagga", text("first_name", "Zebrina"))
	x.search(looker, "quagga")
	x.update(quagga, text("first_name", "Zebrina"), text("last_name", "Equus"))
	x.search(looker, "zebrina")
	x.search(looker, "quag")
	x.remove(quagga)
	x.search(looker, "quag")
}

func emailAfterLogin(x *tour) {
	u := x.created("logs in anew", `{"user_name":"logs in anew","email":"quagga@example.org","password":"p"}`)
	x.search(u, "quagga")
	x.byName(u.name, "p")
	x.search(u, "quagga")
}

func recordsBeforeAndAfter(x *tour) {
	looker, gone, friend := x.create("looks twice"), x.create("edge goes"), x.create("edge stays")
	x.send(looker.session, "GET", "/0.2/users/"+gone.id, "")
	x.search(looker, "edge goes")
	x.create("edge goes on")
	x.search(looker, "edge goes")
	x.connect(gone, friend, "follow")
	x.end(gone, friend)
	x.remove(gone)
	x.send(looker.session, "GET", "/0.2/users/"+gone.id, "")
}

func searchAfterRefusal(x *tour) {
	looker, u := x.create("looks for a draft"), x.create("is refused a draft")
	x.update(u, text("last_name", "Never"), `"first_name":["x"]`)
	x.search(looker, "never")
}

func followedAndDeleted(x *tour) {
	fan, star := x.create("looks for who was followed"), x.create("was followed and left")
	x.connect(fan, star, "follow")
	x.remove(star)
	x.search(fan, "followed and left")
}

func renamedThenDeleted(x *tour) {
	looker, u := x.create("looks for the gone"), x.create("maiden name")
	x.rename(&u, "married name")
	x.search(looker, "maiden")
	x.remove(u)
	x.search(looker, "maiden")
}

func deletedAfterRename(x *tour) {
	looker, u := x.create("looks for who is gone"), x.create("maiden of the tower")
	x.rename(&u, "married")
	x.remove(u)
	x.search(looker, "maiden of")
}

func nameTakenUpAgain(x *tour) {
	u := x.created("marigold", fmt.Sprintf(`{"user_name":"marigold","email":"flower@example.com","password":%q}`, password))
	for _, name := range []string{"tulip", "marigold"} {
		x.send(u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":%q,"email":"flower@example.com"}`, name))
	}
	x.search(u, "arigol")
}
