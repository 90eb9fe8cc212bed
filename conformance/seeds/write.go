package seeds

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// person, happening and thing are what a seed of the fake has.
type person struct {
	UserName  string            `yaml:"user_name"`
	Email     string            `yaml:"email,omitempty"`
	FirstName string            `yaml:"first_name,omitempty"`
	LastName  string            `yaml:"last_name,omitempty"`
	CustomID  string            `yaml:"custom_id,omitempty"`
	URL       string            `yaml:"url,omitempty"`
	SocialIDs map[string]string `yaml:"social_ids,omitempty"`
	Metadata  map[string]string `yaml:"metadata,omitempty"`
	Follows   []string          `yaml:"follows,omitempty,flow"`
	Friends   []string          `yaml:"friends,omitempty,flow"`
	Events    []happening       `yaml:"events,omitempty"`
}

type happening struct {
	At       string            `yaml:"at"`
	Verb     string            `yaml:"verb"`
	Location string            `yaml:"location,omitempty"`
	Metadata map[string]string `yaml:"metadata,omitempty"`
	Object   *thing            `yaml:"object,omitempty"`
}

type thing struct {
	ID          string            `yaml:"id"`
	Type        string            `yaml:"type,omitempty"`
	URL         string            `yaml:"url,omitempty"`
	DisplayName map[string]string `yaml:"display_name,omitempty"`
}

// Counts is how much a seed has.
type Counts struct{ Users, Connections, Events, Left int }

// String is in words.
func (c Counts) String() string {
	said := fmt.Sprintf("%d users, %d connections, %d events", c.Users, c.Connections, c.Events)
	if c.Left > 0 {
		said += fmt.Sprintf("; left out beyond what a seed holds: %d", c.Left)
	}
	return said
}

// Write writes the seed as YAML. Every name, address, id and free text is replaced, the same by the same;
// passwords and sessions are not in it. Times are those before the latest event.
func (r *Recorder) Write(w io.Writer) (Counts, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := &masker{known: map[string]string{}, counts: map[string]int{}, secrets: r.secrets}
	n := Counts{Left: r.left}
	var all []*person
	byID := map[string]*person{}
	for _, id := range r.order {
		if !r.gone[id] {
			p := m.person(id, r.users[id])
			all, byID[id] = append(all, p), p
		}
	}
	n.Users = len(all)
	for _, e := range r.edgeList {
		from, to := byID[e.from], byID[e.to]
		if !r.edges[e] || from == nil || to == nil {
			continue
		}
		n.Connections++
		if e.kind == "friend" {
			from.Friends = append(from.Friends, to.UserName)
		} else {
			from.Follows = append(from.Follows, to.UserName)
		}
	}
	latest := time.Time{}
	for _, e := range r.events {
		if e.at.After(latest) {
			latest = e.at
		}
	}
	for _, id := range r.eventIDs {
		e := r.events[id]
		if by := byID[e.by]; by != nil && !r.gone[id] {
			n.Events++
			by.Events = append(by.Events, m.happening(e, latest))
		}
	}
	_, err := fmt.Fprintf(w, "# Recorded by conform: %s. Names, addresses, ids and texts are made up.\n", n)
	if err == nil {
		encoder := yaml.NewEncoder(w)
		encoder.SetIndent(2)
		err = encoder.Encode(map[string][]*person{"users": all})
	}
	if err != nil {
		return n, fmt.Errorf("writing the seed: %w", err)
	}
	return n, nil
}

// masker makes up texts in the place of others, the same for the same.
type masker struct {
	known   map[string]string
	counts  map[string]int
	secrets map[string]bool // texts that are no words of a vocabulary
}

func (m *masker) mask(kind, value string) string {
	key := kind + "\x00" + value
	made, known := m.known[key]
	if !known {
		m.counts[kind]++
		made = fmt.Sprintf("%s%d", kind, m.counts[kind])
		m.known[key] = made
	}
	return made
}

func (m *masker) optional(kind string, value any) string {
	if t := text(value); t != "" {
		return m.mask(kind, t)
	}
	return ""
}

func (m *masker) person(id string, record map[string]any) *person {
	name := m.mask("user", id)
	p := &person{UserName: name, FirstName: m.optional("First", record["first_name"]), LastName: m.optional("Last", record["last_name"]),
		CustomID: m.optional("custom", record["custom_id"]), SocialIDs: m.texts("social", record["social_ids"]), Metadata: m.texts("text", record["metadata"])}
	if text(record["email"]) != "" {
		p.Email = name + "@example.com"
	}
	if text(record["url"]) != "" {
		p.URL = "https://example.com/" + name
	}
	return p
}

func (m *masker) happening(e event, latest time.Time) happening {
	const second = time.Second
	h := happening{At: "-" + (latest.Sub(e.at).Truncate(second) + second).String(), Verb: m.word("verb", text(e.fields["verb"])),
		Location: m.optional("place", e.fields["location"]), Metadata: m.texts("text", e.fields["metadata"])}
	if object, is := e.fields["object"].(map[string]any); is && text(object["id"]) != "" {
		h.Object = &thing{ID: m.mask("object", text(object["id"])), DisplayName: m.texts("name", object["display_name"])}
		if kind := text(object["type"]); kind != "" {
			h.Object.Type = m.word("type", kind)
		}
		if text(object["url"]) != "" {
			h.Object.URL = "https://example.com/" + h.Object.ID
		}
	}
	return h
}

// texts are the values of a map made up. A key that is no plain word is made up, too.
func (m *masker) texts(kind string, value any) map[string]string {
	record, _ := value.(map[string]any)
	if len(record) == 0 {
		return nil
	}
	made := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(record)) {
		value := text(record[key])
		if value == "" {
			encoded, _ := json.Marshal(record[key]) // what was decoded can be encoded
			value = string(encoded)
		}
		made[m.word("key", key)] = m.mask(kind, value)
	}
	return made
}

var plainWord = regexp.MustCompile(`^[a-z][a-z_-]{0,23}$`)

// word is a word of a vocabulary, such as a verb or a key, or one made up for what may be another text.
func (m *masker) word(kind, value string) string {
	if plainWord.MatchString(value) && !m.secrets[value] {
		return value
	}
	return m.mask(kind, value)
}
