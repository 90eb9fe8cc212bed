// Package reuse has the users whom a scenario has created and left as they were, so that stories need not create
// their own.
package reuse
