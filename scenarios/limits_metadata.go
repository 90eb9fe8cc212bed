package scenarios

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// longKey is a key of 40 characters, as long as one may be.
const longKey = "llllllllllllllllllllllllllllllllllllllll"

// metadataLimits judges the limits at one place. Every map has the key k and extends the
// one before: a target may add to metadata instead of replacing it.
func metadataLimits(t *T, p place) {
	first := p.bearer(t)
	most := longest(first)
	all := first.try(most)
	taken := all.Succeeded() && bears(all.Record(), most) // then each limit that it reaches is
	value := p.valueLength(t, first, taken)
	key := p.keyLength(t, first, taken)
	first.judge(t, "limits.metadata.strings-only", func(c *Check) {
		beyond(c, first, OneOf(http.StatusUnprocessableEntity).Tolerating(http.StatusBadRequest), noStrings(p, first)...)
	})
	if p.at == CreateEvent {
		first.judge(t, p.blocking, func(c *Check) { // nothing of a refused request is left for the next one
			next := Fields{"k": "v"}
			if answer := first.try(next); answer.Succeeded() {
				c.Fields(answer.Record(), Fields{"metadata": next})
			}
		})
	}
	count := p.numberOfKeys(t, first, most, taken)
	if !taken && value && key && count {
		first.judge(t, "limits.metadata.value-length", func(c *Check) { // of all values at the same time
			within(t, c, p, first, most)
		})
	}
	if p.characters {
		p.countedInCharacters(t, first, taken)
	}
	if first.nothing != nil && !first.leaky { // else the feed may show events with further defects
		for _, rule := range []string{"limits.metadata.value-length", "limits.metadata.key-length", "limits.metadata.keys", "limits.metadata.strings-only"} {
			t.Judge(rule, func(c *Check) { first.nothing(c, rule) })
		}
	}
}

// valueLength judges how long a value may be. It reports whether one that is as long was taken by itself.
func (p place) valueLength(t *T, b *metadataBearer, taken bool) (alone bool) {
	b.judge(t, "limits.metadata.value-length", func(c *Check) {
		if !taken {
			within(t, c, p, b, Fields{"k": strings.Repeat("v", 500)})
			alone = true
		}
		value := strings.Repeat("v", 500)
		if p.at == CreateEvent {
			value = strings.Repeat("é", 500) // each is one character, too
		}
		p.oneBeyond(c, b, func(more string) Fields { return Fields{"k": value + more} })
	})
	return alone
}

// keyLength judges how long a key may be. It reports whether one that is as long was taken by itself.
func (p place) keyLength(t *T, b *metadataBearer, taken bool) (alone bool) {
	b.judge(t, "limits.metadata.key-length", func(c *Check) {
		if !taken {
			within(t, c, p, b, Fields{"k": "v", longKey: "v"})
			alone = true
		}
		p.oneBeyond(c, b, func(more string) Fields { return Fields{"k": "v", longKey + more: "v"} })
	})
	return alone
}

// numberOfKeys judges how many keys there may be. It reports whether as many were taken by themselves.
func (p place) numberOfKeys(t *T, b *metadataBearer, most Fields, taken bool) (alone bool) {
	b.judge(t, "limits.metadata.keys", func(c *Check) {
		another, ten, eleven := b, joined(most, Fields{"j": "v"}), Fields{"m": "v"}
		if p.at == CreateEvent {
			eleven = Fields{"K": "v"} // not the key k
		}
		for name := range ten {
			eleven[name] = "w"
		}
		if !taken {
			ten, eleven = keys(10, "v"), keys(11, "v")
			if b.stored != nil {
				another = p.bearer(t)
			}
		}
		if !taken || len(most) < len(ten) {
			within(t, c, p, another, ten)
			alone = true
		}
		refused := OneOf(http.StatusBadRequest, http.StatusUnprocessableEntity)
		beyond(c, another, refused, eleven)
		if p.at == CreateUser {
			c.Status(createUser(t, t.NewUser(Fields{"metadata": eleven}), Query("withLogin", "true")), refused)
		}
	})
	return alone
}

// countedInCharacters judges that characters of several bytes count as one each.
func (p place) countedInCharacters(t *T, b *metadataBearer, taken bool) {
	b.judge(t, "limits.metadata.characters", func(c *Check) {
		metadata := keys(7, strings.Repeat("語", 500))
		for _, character := range []string{"é", "語", "🦉"} { // two, three and four bytes
			metadata[strings.Repeat(character, 40)] = strings.Repeat(character, 500)
		}
		if !taken {
			needLimits(t, b)
		}
		within(t, c, p, b, metadata)
	})
}

// needLimits blocks the check if metadata of one-byte characters is refused at a limit: the
// rule of that limit covers it.
func needLimits(t *T, b *metadataBearer) {
	for _, limit := range []struct {
		rule     string
		metadata Fields
	}{
		{"limits.metadata.value-length", Fields{"k": strings.Repeat("v", 500)}},
		{"limits.metadata.key-length", Fields{"k": "v", longKey: "v"}},
	} {
		if answer := b.try(limit.metadata); !answer.Succeeded() {
			t.Blocked(limit.rule, "needs metadata at that limit to be taken, and got %d", answer.Status())
		}
	}
}

// noStrings is metadata with a value that is not a string.
func noStrings(p place, b *metadataBearer) []Fields {
	values := []any{0, false, nil, []string{}, Fields{"a": "b"}}
	if b.stored != nil {
		values = []any{36, true, nil, []string{"a"}, Fields{}}
	}
	if p.at == CreateEvent || p.at == UpdateEvent {
		values[0] = 1.5
	}
	var wrong []Fields
	for _, value := range values {
		wrong = append(wrong, Fields{"a": "b", "k": value})
	}
	return wrong
}

// longest is metadata with the longest key and the longest values, as many as the contract allows, or
// one less if the target may add them to others.
func longest(b *metadataBearer) Fields {
	const most = 10
	metadata := keys(most-2, strings.Repeat(`v"`, 250)) // quotation marks are one character each, however they are written
	metadata[longKey] = metadata["k"]
	if b.stored == nil {
		metadata["j"] = metadata["k"]
	}
	return metadata
}

// keys returns metadata of so many keys, which have the same value.
func keys(n int, value string) Fields {
	metadata := Fields{"k": value}
	for i := len(metadata); i < n; i++ {
		metadata[fmt.Sprintf("k%d", i)] = value
	}
	return metadata
}

// within judges that metadata at a limit is accepted and comes back in full. When plain
// metadata does not come back either, the check is blocked.
func within(t *T, c *Check, p place, b *metadataBearer, metadata Fields) {
	answer := b.try(metadata)
	if !answer.Succeeded() || !bears(answer.Record(), metadata) {
		plain := Fields{"k": "v"}
		if control := b.try(plain); !control.Succeeded() || !bears(control.Record(), plain) {
			t.Blocked(p.blocking, "needs metadata to be taken and returned, and got %d with %s", control.Status(), control.Body())
		}
	}
	if !answer.Succeeded() {
		c.Status(answer, OneOf(p.taken))
	}
	c.Fields(answer.Record(), Fields{"metadata": metadata})
}

// beyond judges that each metadata is refused, and that the metadata accepted before is
// still there in full.
func beyond(c *Check, b *metadataBearer, want StatusMatcher, refused ...Fields) {
	for _, metadata := range refused {
		b.refuses(c, b.try(metadata), want)
	}
	b.unchanged(c)
}

// refuses judges the answer to metadata beyond a limit.
func (b *metadataBearer) refuses(c *Check, answer *Answer, want StatusMatcher) {
	b.leaky = b.leaky || answer.Succeeded()
	if answer.Succeeded() && b.stored != nil {
		b.has = b.stored().Map("metadata") // a wrongly accepted value may differ from the answer
	}
	c.Status(answer, want)
}

// unchanged judges that the metadata accepted before is still there in full, unless a later
// update cleared it, which is the target's choice, and that nothing else of a refused request is.
func (b *metadataBearer) unchanged(c *Check) {
	if b.stored == nil {
		return
	}
	stored := b.stored()
	if len(b.has) == 0 {
		return // no update of this form was accepted
	}
	if now := stored.Map("metadata"); len(now) > 0 {
		c.Fields(Record{"metadata": map[string]any(now)}, Fields{"metadata": b.has})
	}
	if beside := stored.Text(b.beside); beside != "" {
		c.True(!slices.Contains(b.refused, beside), "no "+b.beside+" of a refused request", beside)
	}
}

// oneBeyond judges that metadata with a character beyond a limit is refused. A target that drops
// blanks breaks another rule; there the character is a letter.
func (p place) oneBeyond(c *Check, b *metadataBearer, metadata func(more string) Fields) {
	const blank = " "
	answer := b.try(metadata(p.oneMore))
	if p.oneMore == blank && answer.Succeeded() && bears(answer.Record(), metadata("")) {
		answer = b.try(metadata("l"))
	}
	b.refuses(c, answer, Refused())
	b.unchanged(c)
}

func bears(r Record, metadata Fields) bool {
	return maps.EqualFunc(r.Map("metadata"), metadata, reflect.DeepEqual)
}
