package scenarios

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// needLimits blocks what is being judged where metadata of one-byte characters is refused at a
// limit: the rule of that limit judges it.
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

// noStrings is metadata with a value that is no string.
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

// longest is metadata of the longest key and of longest values, all of which a target takes at
// the same time: as many as a bearer can hold, or, where there may be others that it adds to, one less.
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
		b.has = b.stored().Map("metadata") // what was wrongly accepted may be another than what is answered
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
