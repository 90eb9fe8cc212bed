package faults

import (
	"bytes"
	"html"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// dataLimits are the faults of limits of metadata that are counted in something other than
// characters and keys.
func dataLimits() []Fault {
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("data-ten-long-values-refused", "ten values of metadata of a new event that make more than 4,000 characters together are refused",
				refused(createsEvent().and(func(r *http.Request) bool {
					total := 0
					for _, value := range metadataIn(r) {
						text, _ := value.(string)
						total += len([]rune(text))
					}
					return total > 4000
				}), 422, complaint("metadata is too large")))),
		breaks("limits.metadata.value-length",
			fault("data-values-counted-with-escapes", "the values of a new event's metadata are counted with characters such as & and < escaped for HTML",
				refusing(createsEvent(), func(_ string, value any) bool {
					text, _ := value.(string)
					return utf8.RuneCountInString(html.EscapeString(text)) > 500
				})),
			fault("data-blanks-around-values-not-counted", "the values of a new event's metadata are counted without the blanks at their ends",
				unbounded(createsEvent(), func(metadata map[string]any) {
					const most = 500
					for key, value := range metadata {
						if text, is := value.(string); is && utf8.RuneCountInString(text) > most {
							metadata[key] = strings.TrimSpace(text)
						}
					}
				})),
			fault("data-event-metadata-counted-escaped", "quotes and line breaks in the metadata of a new event count twice against its 500 characters",
				refusing(createsEvent(), func(_ string, value any) bool {
					text, is := value.(string)
					escaped := bytes.Trim(bytes.TrimSpace(encode(text)), `"`)
					return is && utf8.RuneCountInString(text) <= 500 && utf8.RuneCount(escaped) > 500
				}))),
		breaks("limits.metadata.characters",
			fault("data-event-values-count-utf-16", "the values of a new event's metadata are counted in units of UTF-16",
				refusing(createsEvent(), func(_ string, value any) bool { text, _ := value.(string); return utf16Length(text) > 500 })),
			fault("data-user-keys-count-bytes", "the keys of a new user's metadata are counted in bytes",
				refusing(createsUser(), func(key string, _ any) bool { return len(key) > 40 }))),
	)
}
