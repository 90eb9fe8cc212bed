package store

import (
	"slices"
	"sync"
)

// grams finds the users who may hold a term, by the runs of three bytes in their folded attributes. It
// covers whole blocks of ids, and who is not in one is to be looked at. It may name more users than hold the
// term, so each is still asked.
type grams struct {
	mu       sync.Mutex
	blocks   map[blockKey]gramBlock
	building map[App]bool
}

func newGrams() *grams {
	return &grams{blocks: make(map[blockKey]gramBlock), building: make(map[App]bool)}
}

// blockLength is how many ids a block has: few enough to be indexed in a moment, and to be looked at one by one.
const blockLength = 4096

// mostBlocks is for how many blocks an application is indexed: imported ids may be as high as they like.
const mostBlocks = 1 << 14

type blockKey struct {
	app    App
	number uint64 // ids from number*blockLength on
}

// gramBlock is the index of a block, as of a state of the store.
type gramBlock struct {
	index   *gramIndex // nil while it is made
	since   uint64     // the number of the state; for earlier ones it is of no use
	changed []ID       // whose attributes have changed since, in any order; it is only appended to
}

// mostChanged is from how many changes on a block is indexed anew.
const mostChanged = blockLength / 8

// note notes that a user's attributes change. It is called before the state with the change can be read.
func (g *grams) note(app App, id ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	k := blockKey{app, uint64(id) / blockLength}
	block, indexed := g.blocks[k]
	if !indexed {
		return
	}
	if block.changed = append(block.changed, id); len(block.changed) > mostChanged {
		delete(g.blocks, k)
		return
	}
	g.blocks[k] = block
}

// of returns the indexes of an application's first blocks, as many as given; nil for a block whose index
// this state cannot use.
func (g *grams) of(app App, blocks, number uint64) []gramBlock {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]gramBlock, blocks)
	for i := range all {
		if block := g.blocks[blockKey{app, uint64(i)}]; block.since <= number {
			all[i] = block
		}
	}
	return all
}

// begin claims the making of an application's indexes: only one is made at a time.
func (g *grams) begin(app App) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.building[app] {
		return false
	}
	g.building[app] = true
	return true
}

func (g *grams) end(app App) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.building, app)
}

// expect begins to note changes to a block that is to be indexed. It reports whether the block lacks an
// index.
func (g *grams) expect(k blockKey, number uint64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.blocks[k].index != nil {
		return false
	}
	g.blocks[k] = gramBlock{since: number}
	return true
}

// put gives a block the index of an earlier state, unless too much has changed since.
func (g *grams) put(k blockKey, number uint64, index *gramIndex) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if block, there := g.blocks[k]; there && block.since == number {
		block.index = index
		g.blocks[k] = block
	}
}

// gramIndex lists the members of a block that hold each gram. It never changes.
type gramIndex struct {
	grams   []uint32 // ascending
	ends    []uint32 // where the members of a gram end; they begin where those of the one before end
	members []uint16 // ids less the block's first, ascending for each gram
}

// gramLength is how many bytes a gram has.
const gramLength = 3

// eachGram calls see with every gram of a text.
func eachGram(text string, see func(gram uint32)) {
	for i := 0; i+gramLength <= len(text); i++ {
		see(uint32(text[i])<<16 | uint32(text[i+1])<<8 | uint32(text[i+2]))
	}
}

// newGramIndex indexes the users of a block.
func newGramIndex(users []*User) *gramIndex {
	var pairs []uint64 // a gram and a member
	for _, user := range users {
		for _, attribute := range user.folded {
			eachGram(attribute, func(gram uint32) { pairs = append(pairs, uint64(gram)<<16|uint64(user.ID)%blockLength) })
		}
	}
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	index := &gramIndex{members: make([]uint16, 0, len(pairs))}
	for i, pair := range pairs {
		gram := uint32(pair >> 16)
		if i == 0 || gram != index.grams[len(index.grams)-1] {
			index.grams = append(index.grams, gram)
			index.ends = append(index.ends, uint32(i))
		}
		index.members = append(index.members, uint16(pair))
		index.ends[len(index.ends)-1] = uint32(i + 1)
	}
	index.grams, index.ends = slices.Clip(index.grams), slices.Clip(index.ends)
	return index
}

// holding are the members that hold a gram.
func (x *gramIndex) holding(gram uint32) []uint16 {
	i, found := slices.BinarySearch(x.grams, gram)
	if !found {
		return nil
	}
	begin := uint32(0)
	if i > 0 {
		begin = x.ends[i-1]
	}
	return x.members[begin:x.ends[i]]
}

// candidates are the users of the block who hold all grams, ascending.
func (x *gramIndex) candidates(grams []uint32, first ID) []ID {
	lists := make([][]uint16, 0, len(grams))
	for _, gram := range grams {
		list := x.holding(gram)
		if len(list) == 0 {
			return nil
		}
		lists = append(lists, list)
	}
	slices.SortFunc(lists, func(a, b []uint16) int { return len(a) - len(b) })
	var ids []ID
	for _, member := range lists[0] {
		if !slices.ContainsFunc(lists[1:], func(list []uint16) bool { _, in := slices.BinarySearch(list, member); return !in }) {
			ids = append(ids, first+ID(member))
		}
	}
	return ids
}
