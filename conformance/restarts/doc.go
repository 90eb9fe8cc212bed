// Package restarts judges what a target keeps when it is stopped, killed or paused. It draws
// stories of a few users, their connections and events, ends the target's process between two
// requests or during one, starts it again, reads everything and compares that with what may be
// there.
//
// A store may keep everything, lose the latest writes, or keep nothing. Whatever it does, what it
// holds afterwards is what it held after some of the writes, in their order, and no view of it
// contradicts another.
//
// Upgrade has an old version of a target fill a database, starts a new one on it, and compares what both
// show.
package restarts
