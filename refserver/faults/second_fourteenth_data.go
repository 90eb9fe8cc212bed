package faults

import (
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fourteenthUserData are the faults of certain values of users, where they are read
// and searched for.
func fourteenthUserData() []Fault {
	dayAsTime := func(value any) any {
		text, _ := value.(string)
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return day.Format(time.RFC3339)
		}
		return value
	}
	// These are the words that a full-text index leaves out by default.
	stopWords := strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with")
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("data-updated-metadata-days-become-times", "a day such as 2024-05-01 in the metadata of an update comes back as midnight of that day",
				mended(updatesUser(), eachValue(dayAsTime)))),
		breaks("search.first-name",
			fault("data-search-for-stop-word-overlooks-first-names", "a search for an English word such as will or may not, that full-text indexes leave out, overlooks those who have it in the first name",
				overlooks(firstName, func(_, term string) bool { return slices.Contains(stopWords, folded(term)) }))),
		breaks("auth.app-isolation",
			fault("data-search-for-whole-email-crosses-applications", "a search for a whole email also finds who has it in another application",
				mixed(func(apps applications, s *overrides) {
					search := s.search
					s.search = func(app store.App, term string) ([]store.User, error) {
						found, err := search(app, term)
						return append(found, apps.bearers(app, email, term)...), err
					}
				}))),
	)
}

// fourteenthEventData are those of certain values of events, where they are kept,
// changed and handed out.
func fourteenthEventData() []Fault {
	return slices.Concat(
		breaks("events.create.coordinates",
			fault("data-half-a-position-is-lost", "a new event with a latitude or a longitude alone loses it, as both are kept as one point",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						if event.Latitude == nil || event.Longitude == nil {
							event.Latitude, event.Longitude = nil, nil
						}
						return inner.CreateEvent(app, owner, event)
					}
				}))),
		breaks("events.create.echo",
			fault("data-norwegian-display-name-under-false", "the Norwegian display name of a new event's object is under false, as YAML reads no",
				rewriteBody(createsEvent(), within("object", eachKey("display_name", exactly("no", "false")))))),
		breaks("events.update.applies",
			fault("data-location-changed-in-case-alone-stays", "a change of an event's location in nothing but case is taken for none",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							location := event.Location
							if change(event); strings.EqualFold(event.Location, location) {
								event.Location = location
							}
						})
					}
				}))),
		breaks("feed.follow.new-events",
			fault("data-events-on-the-follower-not-handed-out", "a new event whose object is a follower, by its custom_id, does not reach that follower's feed", overrideStore(aboutFollowersWithheld))),
	)
}

// aboutFollowersWithheld leaves to notifications, which there are none of, what is about the
// follower that it is handed out to.
func aboutFollowersWithheld(inner refserver.Store, s *overrides) {
	withheld := &memory[bool]{} // by reader and event
	s.onCreateEvent(func(event store.Event) {
		followers, err := inner.Followers(event.App, event.Owner)
		if err != nil || event.Object == nil {
			return
		}
		for _, follower := range followers {
			if follower.CustomID == event.Object.ID {
				withheld.keep(keyOf(event.App, follower.ID, event.ID), true)
			}
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return withheld.get(keyOf(r.app, r.id, event.ID)) })
}
