package faults

import (
	"sync"
	"testing"
)

// TestJournalAnswersAsOfAnAct sees that a look stops before the act that it is taken at.
func TestJournalAnswersAsOfAnAct(t *testing.T) {
	l := look{journal: newJournal(), app: 1}
	for range 2 {
		l.journal.write(1, act{by: 2, to: 3}, followed, connected)
		l.journal.write(1, act{by: 2, to: 3}, ended)
	}
	l.journal.write(2, act{by: 2, to: 3}, followed)
	second := l.last(followed, 2, 3)
	if l.times(followed, 2, 3) != 2 || l.times(connected, 0, 3) != 2 || l.times(followed, 3, 2) != 0 {
		t.Errorf("of one user and another: %d follows, of anybody %d, back %d", l.times(followed, 2, 3), l.times(connected, 0, 3), l.times(followed, 3, 2))
	}
	if then := l.then(second); then.times(followed, 2, 3) != 1 || !then.unless(ended, 2, 3, followed) {
		t.Errorf("before the second follow there were %d, and an end is the latest: %v", then.times(followed, 2, 3), then.unless(ended, 2, 3, followed))
	}
	if since := l.since(second, ended, 2, 0); len(since) != 1 || l.unless(followed, 2, 3, ended) {
		t.Errorf("since the second follow there were %d ends", len(since))
	}
}

// TestJournalIsBounded writes more acts at once than a journal keeps.
func TestJournalIsBounded(t *testing.T) {
	j := newJournal()
	var group sync.WaitGroup
	for writer := range 4 {
		group.Go(func() {
			for range mostActs / 2 {
				j.write(1, act{by: ID(writer + 1), to: 9, event: Event{App: 1, ID: 9}}, posted)
				j.at(place{app: 1, did: posted}, 0)
			}
		})
	}
	group.Wait()
	if kept := len(j.at(place{app: 1, did: posted}, 0)); kept > mostActs || j.next() != 2*mostActs+1 {
		t.Errorf("%d acts are kept, the next has the number %d", kept, j.next())
	}
}
