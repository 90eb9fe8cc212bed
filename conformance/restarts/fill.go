package restarts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// fill makes users, sessions, connections and events, some of which it changes, ends and deletes again. The
// newest user and the newest event are gone in the end: their ids must not be given again.
func (p *player) fill(ctx context.Context, rng *rand.Rand) error {
	const rounds = 3
	for range rounds {
		var s Story
		for _, kind := range []Kind{Post, Follow, Post, Edit, Update, Post, Unfollow, Login, Logout, Post, Remove, Delete} {
			s.Steps = append(s.Steps, Step{Do: kind, Slot: rng.IntN(slots), Other: rng.IntN(slots)}, anyStep(rng))
		}
		if err := p.steps(ctx, s); err != nil || p.found != nil {
			return err
		}
	}
	if err := p.prepare(ctx); err != nil || p.found != nil {
		return err
	}
	poster, newest := slices.Min(p.slots[:]), slices.Max(p.slots[:])
	w, _ := p.plan(Step{Do: Post, Slot: slices.Index(p.slots[:], poster)})
	for _, w := range []write{w, {kind: Remove, user: poster, event: w.event}, {kind: Delete, user: newest}} {
		if err := p.write(ctx, w); err != nil || p.found != nil {
			return err
		}
	}
	return p.judge(ctx, "")
}

// steps does what a story says, with users in all slots at its beginning.
func (p *player) steps(ctx context.Context, s Story) error {
	if err := p.prepare(ctx); err != nil || p.found != nil {
		return err
	}
	for _, step := range s.Steps {
		if err := p.step(ctx, step); err != nil || p.found != nil {
			return err
		}
	}
	return nil
}

// fillFields makes two users who have every field of the contract, as far as the target takes them, friends of
// each other, and an event with every field.
func (p *player) fillFields(ctx context.Context) error {
	for n := 1; n <= 2; n++ {
		u := &user{name: fmt.Sprintf("%sf%d", p.run, n), password: "hashed-" + p.run}
		p.known.users[n] = u
		a := p.firstTaken(ctx, createUser(u, "Zoë 東京"), manyFieldsOfUser(u))
		if !a.ok() {
			return errors.Join(ctx.Err(), refusedError{Create, a, p.starts})
		}
		u.id = a.field("id")
		p.known.open(n, a.field("session_token"))
	}
	for n := 1; n <= 2; n++ {
		for _, kind := range []string{"friend", "follow"} {
			body := map[string]any{"user_to_id": p.idOf(3 - n), "type": kind}
			_ = p.call(ctx, request{method: http.MethodPost, path: links, as: n, body: body}) // what is refused is not there
		}
		e := &posted{owner: n, marker: fmt.Sprintf("%sfe%d", p.run, n)}
		_ = p.firstTaken(ctx, request{method: http.MethodPost, path: mine, as: n, body: fieldsOfEvent(e, "Zürich")}, manyFieldsOfEvent())
	}
	return ctx.Err()
}

// firstTaken sends a request with the first set of further fields that the target takes, at last with none.
func (p *player) firstTaken(ctx context.Context, r request, further []map[string]any) answer {
	for _, fields := range further {
		for name, value := range r.body {
			if _, more := fields[name]; !more {
				fields[name] = value
			}
		}
		with := r
		with.body = fields
		if a := p.call(ctx, with); a.ok() {
			return a
		}
	}
	return p.call(ctx, r)
}

// manyFieldsOfUser are further fields of a user, first all, then those about which the contract is clear.
func manyFieldsOfUser(u *user) []map[string]any {
	clear := func() map[string]any {
		return map[string]any{"last_name": "O'Neil \"née\" Ünal", "url": "app://users/" + u.name, "custom_id": u.name + "-custom", "metadata": manyPairs()}
	}
	all := clear()
	all["social_ids"], all["activated"] = map[string]string{"network": u.name + "-social"}, "true"
	return []map[string]any{all, clear()}
}

func manyFieldsOfEvent() []map[string]any {
	return []map[string]any{{
		"language": "de", "priority": "high", "latitude": 47.376886, "longitude": -8.541694, "metadata": manyPairs(),
		"object": map[string]any{"id": "thing 1/ü", "type": "thing", "url": "https://example.com/1?a=b&c", "display_name": map[string]string{"en": "One", "ja": "一"}},
	}}
}

// manyPairs are as many pairs, and as long, as metadata may have.
func manyPairs() map[string]string {
	const pairs, longestKey, longestValue = 10, 40, 500
	all := map[string]string{}
	for n := range pairs {
		key := fmt.Sprintf("key%d", n)
		all[key+strings.Repeat("k", longestKey-len(key))] = fmt.Sprint(n, strings.Repeat("ä", longestValue-1))
	}
	return all
}
