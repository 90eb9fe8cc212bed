package faults_test

import "fmt"

// sequencesOfSessions takes the part of the sequence tour that is about sessions and
// logins.
func sequencesOfSessions(x *tour) {
	deletionAfterRename(x)
	emailTakenOver(x)
	emailOfAnother(x)
	detailsBeforeAndAfter(x)
	updateAfterLogout(x)
	loginAfterAnothersLogout(x)
	newEmailOfTheDeleted(x)
	logoutAfterRefusal(x)
	twoLogouts(x)
	logoutAfterRename(x)
	passwordAfterLogout(x)
	triedTooEarly(x)
	logoutOfDetailed(x)
	loginThenUpdate(x)
	logoutThenUpdate(x)
	emailThereAndBack(x)
	listsAfterLogout(x)
	newEmail(x)
	newPasswordAfterLogin(x)
	logoutAfterUpdate(x)
	renamedTwice(x)
}

func deletionAfterRename(x *tour) {
	u := x.create("known before")
	x.rename(&u, "known after")
	latest := x.byName("known after", password)
	x.send(latest, "DELETE", "/0.2/user", "")
	x.send(u.session, "GET", "/0.2/user", "")
	x.send(latest, "GET", "/0.2/user", "")
}

func emailTakenOver(x *tour) {
	x.send(x.create("gives up").session, "PUT", "/0.2/user", `{"user_name":"gives up","email":"other@example.com"}`)
	x.created("takes over", fmt.Sprintf(`{"user_name":"takes over","email":"gives up@example.com","password":%q}`, "another"))
	x.byEmail("gives up@example.com", "another")
}

func emailOfAnother(x *tour) {
	x.create("has an email")
	second := x.created("has the same", `{"user_name":"has the same","email":"has an email@example.com","password":"p"}`)
	x.send(second.session, "GET", "/0.2/user", "")
}

func detailsBeforeAndAfter(x *tour) {
	u := x.create("edge details")
	for _, name := range []string{"Before", "After"} {
		x.update(u, text("first_name", name))
		x.send("", "POST", "/0.2/user/login?withUserDetails=true", fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password))
	}
}

func updateAfterLogout(x *tour) {
	u := x.create("has two devices")
	other := x.byName("has two devices", password)
	x.send(other, "DELETE", "/0.2/user/logout", "")
	x.update(u, text("first_name", "Two"))
	x.send(other, "GET", "/0.2/user", "")
}

func loginAfterAnothersLogout(x *tour) {
	leaver := x.create("logs out first")
	x.send(leaver.session, "DELETE", "/0.2/user/logout", "")
	x.create("logs in next")
	x.send(leaver.session, "GET", "/0.2/user", "")
}

func newEmailOfTheDeleted(x *tour) {
	u := x.create("moves house")
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"moves house","email":"new.house@example.com"}`)
	x.remove(u)
	x.byEmail("new.house@example.com", password)
}

func logoutAfterRefusal(x *tour) {
	u := x.create("slips up and leaves")
	x.post(u, `"location":"no verb"`)
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	x.send(u.session, "GET", "/0.2/user", "")
}

func twoLogouts(x *tour) {
	u := x.create("logs out twice")
	for _, session := range []string{u.session, x.byName("logs out twice", password)} {
		x.send(session, "DELETE", "/0.2/user/logout", "")
		x.send(session, "GET", "/0.2/user", "")
	}
}

func logoutAfterRename(x *tour) {
	u := x.create("leaves under a name")
	x.rename(&u, "leaves under another")
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	x.send(u.session, "GET", "/0.2/user", "")
}

func passwordAfterLogout(x *tour) {
	u := x.create("left a session elsewhere")
	elsewhere := x.byName(u.name, password)
	x.send(elsewhere, "DELETE", "/0.2/user/logout", "")
	x.update(u, text("password", "another"))
	x.send(elsewhere, "GET", "/0.2/user", "")
}

func triedTooEarly(x *tour) {
	x.byName("tried too early", password)
	x.create("tried too early")
	x.byName("tried too early", password)
}

func logoutOfDetailed(x *tour) {
	u := x.idle("asks for its details")
	var token string
	if said := sessionToken.FindStringSubmatch(x.send("", "POST", "/0.2/user/login?withUserDetails=true", fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password)).Body.String()); said != nil {
		token = said[1]
	}
	x.send(token, "DELETE", "/0.2/user/logout", "")
	x.send(token, "GET", "/0.2/user", "")
}

func loginThenUpdate(x *tour) {
	u := x.idle("idle until now")
	u.session = x.byName(u.name, password)
	x.update(u, text("first_name", "Ida"))
}

func logoutThenUpdate(x *tour) {
	u := x.create("leaves one of two sessions")
	first := u.session
	u.session = x.byName(u.name, password)
	x.send(first, "DELETE", "/0.2/user/logout", "")
	x.update(u, text("first_name", "Tess"))
	x.send(first, "GET", "/0.2/user", "")
}

func emailThereAndBack(x *tour) {
	u := x.create("tries another email")
	for _, email := range []string{"another@example.com", u.name + "@example.com"} {
		x.send(u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":%q,"email":%q}`, u.name, email))
		x.byEmail(email, password)
	}
}

func listsAfterLogout(x *tour) {
	u := x.create("connects and leaves")
	x.connect(u, x.create("stays connected"), "follow")
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	for _, list := range []string{"follows", "followers", "friends"} {
		x.send(u.session, "GET", "/0.2/user/"+list, "")
	}
}

func newEmail(x *tour) {
	u := x.create("moves its mail")
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"moves its mail","email":"moved.once@example.com"}`)
	x.byEmail("moved.once@example.com", password)
}

func newPasswordAfterLogin(x *tour) { x.update(x.create("was just in"), text("password", "another")) }

func logoutAfterUpdate(x *tour) {
	u := x.create("updates and leaves")
	x.update(u, text("first_name", "F"))
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	x.send(u.session, "GET", "/0.2/user", "")
}

func renamedTwice(x *tour) {
	u := x.create("has its first name still")
	for _, name := range []string{"has a second name", "has a third name"} {
		x.rename(&u, name)
		x.byName(name, password)
	}
}
