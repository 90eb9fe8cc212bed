package story

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

// Placeholders in bodies stand for texts that are new each time that a story is played: a token that
// is used nowhere else, or what is derived from one.
const (
	unique   = "{unique}"
	password = "{password}"
)

// placeholders returns what each placeholder stands for, given a token.
func placeholders(token string) [][2]string {
	h := fnv.New128a()
	h.Write([]byte(token))
	sum := h.Sum(nil)
	number := binary.BigEndian.Uint64(sum)
	hex := fmt.Sprintf("%x", sum)
	upper := strings.ToUpper(hex)
	return [][2]string{
		{unique, token},
		{"{number}", strconv.FormatUint(1e12+number%8e12, 10)},
		{"{zeros}", fmt.Sprintf("00%012d", number%1e12)},
		{"{phone}", fmt.Sprintf("+49%011d", number%1e11)},
		{"{long number}", strconv.FormatUint(1e18+number%8e18, 10)},
		{"{exponent}", fmt.Sprintf("%de%02d", 1e4+number%9e4, number/9e4%100)},
		{"{hex}", hex},
		{"{uuid}", upper[:8] + "-" + upper[8:12] + "-4" + upper[13:16] + "-A" + upper[17:20] + "-" + upper[20:]},
	}
}

// fillText replaces the placeholders in a text, and returns what replaced the last one.
func fillText(text, token string) (filled, used string) {
	if !strings.Contains(text, "{") {
		return text, ""
	}
	for _, p := range placeholders(token) {
		if strings.Contains(text, p[0]) {
			text, used = strings.ReplaceAll(text, p[0], p[1]), p[1]
		}
	}
	return text, used
}

// fillValue replaces the placeholders in a value, in the keys of maps too.
func fillValue(v any, token string) (filled any, used string) {
	switch v := v.(type) {
	case string:
		return fillText(v, token)
	case map[string]any:
		all := Fields{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			name, _ := fillText(key, token)
			each, was := fillValue(v[key], token)
			if all[name] = each; was != "" {
				used = was
			}
		}
		return all, used
	case []any:
		all := make([]any, len(v))
		for i := range v {
			each, was := fillValue(v[i], token)
			if all[i] = each; was != "" {
				used = was
			}
		}
		return all, used
	}
	return v, ""
}

// fill replaces the placeholders in the body of a call, and values that the target has refused.
func (r *run) fill(c *call) {
	for _, field := range c.refusable() {
		if r.player.refused[refusedValue{c.Endpoint, field, asText(c.Step.Body[field])}] {
			c.replace(field)
		}
	}
	c.tokens = map[string]string{}
	for _, field := range slices.Sorted(maps.Keys(c.Request.Body)) {
		r.fillField(c, field)
	}
}

func (r *run) fillField(c *call, field string) {
	v := c.Request.Body[field]
	if text, ok := v.(string); ok && strings.Contains(text, password) {
		c.Request.Body[field] = strings.ReplaceAll(text, password, r.player.target.Password())
		return
	}
	if !hasPlaceholder(v) {
		return
	}
	filled, used := fillValue(v, r.player.target.Unique())
	if c.Request.Body[field] = filled; used != "" {
		c.tokens[field] = used
	}
}

// hasPlaceholder reports whether a value may have a placeholder.
func hasPlaceholder(v any) bool {
	switch v := v.(type) {
	case string:
		_, used := fillText(v, "x")
		return used != ""
	case map[string]any:
		for key, each := range v {
			if hasPlaceholder(key) || hasPlaceholder(each) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasPlaceholder)
	}
	return false
}

// refusable returns the fields of a call that a valid server may refuse.
func (c *call) refusable() []string {
	all := slices.Clone(c.Step.Refusable)
	switch {
	case c.Do == "update" && c.How == similar:
		all = append(all, "email", "url", "user_name", "first_name", "last_name")
	case c.Do == "update" && c.How == back:
		all = append(all, "password")
	case c.Do == "create" && c.How == again:
		all = append(all, "email")
	}
	return slices.DeleteFunc(all, func(field string) bool { _, sent := c.Request.Body[field]; return !sent })
}

// replace gives a field a plain value.
func (c *call) replace(field string) {
	plain := plainUser()
	if c.Endpoint == rules.CreateEvent || c.Endpoint == rules.UpdateEvent {
		plain = plainEvent()
	}
	if c.Request.Body[field] = plain[field]; plain[field] == nil {
		delete(c.Request.Body, field)
	}
}

// sendCall sends a write. If the target refuses values that it may refuse, they are not used again,
// and plain ones are sent. If it refuses metadata that reaches a limit, the same is sent without it.
func (r *run) sendCall(ctx context.Context, a *Action, c *call) {
	r.sendIn(ctx, a, c)
	if fields := c.refusable(); c.answer.Refused() && len(fields) > 0 && !c.skip && r.wanted(a, c) {
		for _, field := range fields {
			r.player.refused[refusedValue{c.Endpoint, field, asText(c.Step.Body[field])}] = true
			c.replace(field)
			r.fillField(c, field)
		}
		r.sendIn(ctx, a, c)
	}
	metadata := c.Request.Body["metadata"]
	if c.answer.Refused() && limitOf(metadata) != noLimit && r.wanted(a, c) && !c.skip {
		without := *c
		without.Request.Body = maps.Clone(c.Request.Body)
		delete(without.Request.Body, "metadata")
		if r.sendIn(ctx, a, &without); without.answer.OK() {
			c.limited = metadata
		}
	}
}

// wanted reports whether a call has to succeed.
func (r *run) wanted(a *Action, c *call) bool {
	e, _ := a.expected(r.world(), c.Step)
	return e.Status > 0
}

// plainUser returns what a user is created with where nothing else matters.
func plainUser() Fields {
	return Fields{"user_name": unique, "email": unique + "@example.com", "password": password, "first_name": unique + " garden", "last_name": "garden",
		"social_ids": Fields{"facebook": unique}, "custom_id": "c" + unique, "url": "https://a.example/u", "metadata": Fields{"mood": "good"}}
}

// plainEvent returns an event of which nothing matters.
func plainEvent() Fields { return Fields{"verb": "like", "priority": "garden"} }

// likeExisting returns the body of a user like one that exists already: with its values, but for
// those that may have to be unique.
func likeExisting(sent Fields) Fields {
	body := Fields{}
	for name, v := range sent {
		switch name {
		case "user_name", "custom_id":
			body[name] = unique
		case "email":
			body[name] = unique + "@example.com"
		case "password":
			body[name] = password
		case "social_ids":
			ids := Fields{}
			if given, ok := v.(map[string]any); ok {
				for network := range given {
					ids[network] = unique
				}
			}
			body[name] = ids
		default:
			body[name] = v
		}
	}
	return body
}

// tooLong reports whether a value contains a text that is longer than what every target accepts:
// the contract promises no length. Metadata has documented limits, and passwords are as long as
// hashes.
func tooLong(name string, v any) bool {
	const promised = 20
	if name == "metadata" || name == "password" {
		return false
	}
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) > promised
	case map[string]any:
		for inner, each := range v {
			if tooLong(inner, each) {
				return true
			}
		}
	}
	return false
}
