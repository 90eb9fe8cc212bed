package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// socials finds users by their social ids. It belongs to the writer.
type socials struct {
	bearers bearers[socialKey]
	heavy   map[userKey]bool // with more social ids than are worth indexing
}

type socialKey struct {
	app          App
	platform, id string
}

// heavySocials is from how many social ids on a user is not indexed by them but
// asked for its one on the platform.
const heavySocials = 100

func newSocials() *socials {
	return &socials{bearers: make(bearers[socialKey]), heavy: make(map[userKey]bool)}
}

// replace puts one state of a user in the place of another; nil is none.
func (x *socials) replace(before, after *User) {
	if before != nil && after != nil && sameMap(before.SocialIDs, after.SocialIDs) {
		return
	}
	if before != nil {
		delete(x.heavy, userKey{before.App, before.ID})
		x.each(before, x.bearers.remove)
	}
	switch {
	case after == nil:
	case len(after.SocialIDs) >= heavySocials:
		x.heavy[userKey{after.App, after.ID}] = true
	default:
		x.each(after, x.bearers.add)
	}
}

// sameMap reports whether two maps are one, without looking at what they hold.
func sameMap(a, b map[string]string) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}

func (x *socials) each(u *User, change func(socialKey, ID)) {
	if len(u.SocialIDs) >= heavySocials {
		return
	}
	for platform, id := range u.SocialIDs {
		change(socialKey{u.App, platform, id}, u.ID)
	}
}

// SocialContacts asks for connections to all users with one of some ids on a platform.
// They are made in steps, see ConnectSocialStep.
type SocialContacts struct {
	platform string
	typ      ConnectionType
	ids      []string // each once
	among    map[string]bool

	next  int // the index of the id to go on with; beyond the last, the heavy ones
	after ID  // the bearer that was the last to be connected
}

// NewSocialContacts prepares the request.
func NewSocialContacts(platform string, ids []string, typ ConnectionType) *SocialContacts {
	c := &SocialContacts{platform: platform, typ: typ, among: make(map[string]bool, len(ids))}
	for _, id := range ids {
		if !c.among[id] {
			c.among[id] = true
			c.ids = append(c.ids, id)
		}
	}
	return c
}

// ConnectSocial connects the acting user to all users with one of the ids on the
// platform. Ids of no user, and the acting user's own, are ignored.
func (s *Store) ConnectSocial(app App, from ID, platform string, ids []string, typ ConnectionType) error {
	contacts := NewSocialContacts(platform, ids, typ)
	return s.write(func(t *tx) error {
		for {
			if done, err := t.connectSome(app, from, contacts); done || err != nil {
				return err
			}
		}
	})
}

// ConnectSocialStep does as much of ConnectSocial as holds up other writers for a
// few milliseconds at most, and reports whether it is done.
func (s *Store) ConnectSocialStep(app App, from ID, contacts *SocialContacts) (done bool, err error) {
	err = s.write(func(t *tx) error {
		done, err = t.connectSome(app, from, contacts)
		return err
	})
	return done, err
}

func (t *tx) connectSome(app App, from ID, c *SocialContacts) (done bool, err error) {
	const most, perConnection = 5000, 25 // in units of looking up an id: 200 connections
	if _, err := t.acting(app, from); err != nil {
		return false, err
	}
	for cost := 0; cost < most; cost++ {
		bearers, last := t.bearers(app, c)
		for _, to := range bearers {
			if cost >= most {
				return false, nil
			}
			c.after = to
			if to == from {
				continue
			}
			cost += perConnection
			if _, _, err := t.connect(app, from, to, c.typ); err != nil && !errors.Is(err, ErrConflict) {
				return false, fmt.Errorf("connecting to a social contact: %w", err)
			}
		}
		if last {
			return true, nil
		}
		c.next, c.after = c.next+1, 0
	}
	return false, nil
}

// bearers are the next users: those of one id, and last the users that are not indexed.
func (t *tx) bearers(app App, c *SocialContacts) (ids []ID, last bool) {
	if c.next < len(c.ids) {
		ids = t.store.socials.bearers[socialKey{app, c.platform, c.ids[c.next]}]
	} else {
		ids, last = t.heavyBearers(app, c), true
	}
	i, found := slices.BinarySearch(ids, c.after)
	if found {
		i++
	}
	return ids[i:], last
}

func (t *tx) heavyBearers(app App, c *SocialContacts) []ID {
	var ids []ID
	for k := range t.store.socials.heavy {
		if k.app != app {
			continue
		}
		user := t.users.get(app, k.id)
		if user == nil {
			continue
		}
		if id, has := user.SocialIDs[c.platform]; has && c.among[id] {
			ids = append(ids, k.id)
		}
	}
	slices.Sort(ids)
	return ids
}
