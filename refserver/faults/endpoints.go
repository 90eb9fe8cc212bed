package faults

// The endpoints, in the order of the contract's table.

func createsUser() match    { return on("POST /0.2/users") }
func logsIn() match         { return on("POST /0.2/user/login") }
func logsOut() match        { return on("DELETE /0.2/user/logout") }
func readsOwnRecord() match { return on("GET /0.2/user") }
func updatesUser() match    { return on("PUT /0.2/user") }
func deletesUser() match    { return on("DELETE /0.2/user") }
func readsUser() match      { return on("GET /0.2/users/{UserID}") }
func searches() match       { return on("GET /0.2/users/search") }
func connects() match       { return on("POST /0.2/user/connections") }
func disconnects() match    { return on("DELETE /0.2/user/connections/{UserID}") }
func readsFollows() match   { return on("GET /0.2/user/follows") }
func readsFollowers() match { return on("GET /0.2/user/followers") }
func readsFriends() match   { return on("GET /0.2/user/friends") }
func listsUsers() match {
	return readsFollows().or(readsFollowers()).or(readsFriends()).or(readsFollowsOf()).or(readsFollowersOf()).or(readsFriendsOf()).or(searches())
}
func readsFollowsOf() match   { return on("GET /0.2/users/{UserID}/follows") }
func readsFollowersOf() match { return on("GET /0.2/users/{UserID}/followers") }
func readsFriendsOf() match   { return on("GET /0.2/users/{UserID}/friends") }
func connectsSocially() match { return on("POST /0.2/user/connections/social") }
func createsEvent() match     { return on("POST /0.2/user/events") }
func updatesEvent() match     { return on("PUT /0.2/user/events/{EventID}") }
func deletesEvent() match     { return on("DELETE /0.2/user/events/{EventID}") }
func readsFeed() match        { return on("GET /0.2/user/feed") }
func readsVersions() match    { return on("GET /versions") }
