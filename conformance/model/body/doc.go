// Package body makes the bodies of requests from pools of awkward values: what valid servers accept and wrong ones
// mishandle. A Generator makes those of stories, Payloads those of scenarios; values that the target has refused are
// not used again.
package body
