package clients

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// issuedIDs are the ids that the service issued, and how clients may alter them.
type issuedIDs struct {
	exact   *bounded[string, *issuedID] // by the id's text
	altered *bounded[string, string]    // the id by each of its usual alterations
	rounded *bounded[string, string]    // the id by its float64 value as text
}

// issuedID is how an id was sent back.
type issuedID struct {
	sent    bool // verbatim
	rounded int  // how often it was sent rounded to a float64
}

func newIssuedIDs() *issuedIDs {
	const most = 50_000
	return &issuedIDs{newBounded[string, *issuedID](most), newBounded[string, string](most), newBounded[string, string](most)}
}

// record records the ids of an answer, except in fields that the client itself sets.
func (i *issuedIDs) record(r *request) {
	if !r.succeeded() || r.Method == http.MethodDelete || r.endpoint == rules.Versions || r.endpoint == rules.NoEndpoint {
		return
	}
	value := r.answer()
	i.recordIDs(value)
	list, _ := value.([]any)
	for _, item := range list {
		i.recordIDs(item)
	}
}

func (i *issuedIDs) recordIDs(value any) {
	record, _ := jsonvalue.AsRecord(value)
	for _, field := range []string{"id", "user_id", "user_from_id", "user_to_id"} {
		if id := record.Text(field); id != "" && len(id) <= 128 {
			i.issue(id)
		}
	}
}

func (i *issuedIDs) issue(id string) {
	if _, known := i.exact.get(id); known {
		return
	}
	i.exact.put(id, &issuedID{})
	if folded := strings.ToLower(id); folded != strings.ToUpper(id) {
		i.altered.put(folded, id)
	}
	if trimmed := strings.TrimLeft(id, "0"); trimmed != id && trimmed != "" && digitsOnly(id) {
		i.altered.put(trimmed, id)
	}
	const exact = 15 // decimal digits that a float64 keeps
	if number, err := strconv.ParseFloat(id, 64); err == nil && digitsOnly(id) && len(id) > exact {
		i.rounded.put(strconv.FormatFloat(number, 'f', -1, 64), id) // without an exponent, as most languages print it
		i.rounded.put(strconv.FormatFloat(number, 'f', 0, 64), id)
	}
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// verbatim judges the ids in the path and in user_to_id.
func (i *issuedIDs) verbatim(r *request) finding {
	f := finding{}
	for _, sent := range r.sentIDs() {
		if known, issued := i.exact.get(sent); issued {
			known.sent, f.relevant = true, true
			continue
		}
		if id, how := i.original(sent); id != "" {
			return violation("the id %s is sent as %s: %s", jsonvalue.Cut(id, 60), jsonvalue.Cut(strconv.Quote(sent), 60), how)
		}
		if id, ok := i.rounded.get(sent); ok {
			known, _ := i.exact.get(id)
			if known == nil {
				continue
			}
			known.rounded++
			f = violation("the id %s is sent as %s: its last digits are lost", id, sent)
			f.doubt = func() bool { return known.sent || known.rounded < 2 }
			return f
		}
	}
	return f
}

// original is the issued id that a text is an alteration of, and how it was altered.
func (i *issuedIDs) original(sent string) (id, how string) {
	bare := strings.Trim(sent, " \t\r\n\"'")
	if _, issued := i.exact.get(bare); issued && bare != sent {
		return bare, "with blanks or quotes around it"
	}
	if id, ok := i.altered.get(strings.ToLower(sent)); ok && strings.EqualFold(id, sent) {
		return id, "in another case"
	}
	if id, ok := i.altered.get(sent); ok && strings.TrimLeft(id, "0") == sent {
		return id, "without its leading zeros"
	}
	if number, err := strconv.ParseFloat(sent, 64); err == nil && strings.ContainsAny(sent, ".eE") {
		whole := strconv.FormatFloat(number, 'f', -1, 64)
		if _, issued := i.exact.get(whole); issued {
			return whole, "as a fraction or with an exponent"
		}
		if id, ok := i.rounded.get(whole); ok {
			return id, "as a fraction or with an exponent"
		}
	}
	return "", ""
}

// sentIDs are the ids in the path and in the body.
func (r *request) sentIDs() []string {
	var sent []string
	if withParameter(r.endpoint) {
		template := strings.Split(r.endpoint.Path(), "/")
		for at, segment := range strings.Split(r.path, "/") {
			if at < len(template) && strings.HasPrefix(template[at], "{") {
				if id, err := url.PathUnescape(segment); err == nil {
					sent = append(sent, id)
				}
			}
		}
	}
	if record, ok := r.record(); ok && r.endpoint == rules.CreateConnection {
		if id := record.Text("user_to_id"); id != "" {
			sent = append(sent, id)
		}
	}
	return sent
}
