// Package traffic checks the exchanges of others without sending anything: users and events must be shown as they
// were written. A Checker judges the scenarios of a run and finds the users that stories can reuse; a Follower judges
// live and recorded traffic.
package traffic
