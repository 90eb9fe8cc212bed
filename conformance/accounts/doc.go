// Package accounts knows the users that scenarios have created on a target, with the credentials that may delete
// them. A Recorder learns of them from exchanges, Owners know for whom each session was opened, and a Remover deletes
// them without deleting others by a session that a target has mixed up.
package accounts
