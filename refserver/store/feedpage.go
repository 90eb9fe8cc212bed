package store

import "sync"

// FeedPage is a feed as it was read in one state of the store. Its events must not
// be changed.
type FeedPage struct {
	Events []*Event
	whole  encoding
}

// Encoded returns what the feed was encoded as before, or nil.
func (p *FeedPage) Encoded() []byte {
	if text := p.whole.text.Load(); text != nil {
		return *text
	}
	return nil
}

// KeepEncoded keeps what the feed is encoded as.
func (p *FeedPage) KeepEncoded(text []byte) { p.whole.text.Store(&text) }

// feeds are some that were read in one state of the store, and go with it.
type feeds struct {
	mu    sync.RWMutex
	pages map[userKey]*FeedPage
}

// mostFeeds and longestFeed bound what is cached with a state.
const mostFeeds, longestFeed = 250, 1000

func (f *feeds) get(of userKey) (*FeedPage, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	page, known := f.pages[of]
	return page, known
}

func (f *feeds) keep(of userKey, page *FeedPage) {
	if len(page.Events) > longestFeed || f.full() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pages == nil {
		f.pages = make(map[userKey]*FeedPage)
	}
	if len(f.pages) < mostFeeds {
		f.pages[of] = page
	}
}

// full lets late readers pass without waiting for each other.
func (f *feeds) full() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return len(f.pages) >= mostFeeds
}
