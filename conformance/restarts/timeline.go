package restarts

import "fmt"

// tell says what a write does.
func (p *player) tell(w write) string {
	who := userName(w.user)
	switch w.kind {
	case Create:
		return fmt.Sprintf("create %s, %s", who, w.value)
	case Login:
		return "log in as " + who
	case Logout:
		return fmt.Sprintf("end session %d of %s", w.session, who)
	case Update:
		return fmt.Sprintf("change %s to %s", who, w.value)
	case Delete:
		return "delete " + who
	case Follow:
		return fmt.Sprintf("%s follows %s", who, userName(w.other))
	case Unfollow:
		return fmt.Sprintf("%s no longer follows %s", who, userName(w.other))
	case Post:
		return fmt.Sprintf("%s posts %s, %s", who, eventName(w.event), w.value)
	case Edit:
		return fmt.Sprintf("%s changes %s to %s", who, eventName(w.event), w.value)
	}
	return fmt.Sprintf("%s deletes %s", who, eventName(w.event))
}

// timeline tells what the play did, and at each restart which states the target may be in.
func (p *player) timeline() []string {
	var all []string
	n, open, started := 0, false, false
	for _, l := range p.log {
		switch {
		case l.write != nil && l.inside != nil:
			all = append(all, fmt.Sprintf("   %s, and %s it %s after the request was sent: %s", p.tell(*l.write), l.inside.Signal, l.inside.After, l.text))
			if open = l.text == "no answer"; !open {
				n++
			}
		case l.write != nil:
			n++
			all = append(all, fmt.Sprintf("%2d %s: %s", n, p.tell(*l.write), l.text))
		case l.signal != "":
			all = append(all, fmt.Sprintf("   %s it", l.signal))
		case l.start:
			may := fmt.Sprintf("the state after any of the writes 0 to %d", n)
			if open {
				may += ", or after all of them and the one that got no answer"
			}
			started = true
			all = append(all, "   start it again: lawful is "+may)
		default:
			all = append(all, "   found is "+l.text)
			if started {
				n, open, started = 0, false, false
			}
		}
	}
	return all
}
