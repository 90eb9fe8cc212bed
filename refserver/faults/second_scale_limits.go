package faults

import (
	"slices"
	"unicode/utf8"
)

// scaleLimits are the faults of metadata that is within all limits, and too much for its column.
func scaleLimits() []Fault {
	const column, roundColumn = 4096, 4000
	isLong := func(metadata any) bool { return len(encode(metadata)) > roundColumn }
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("scale-user-metadata-beyond-4-kb-refused", "an update of the user with more than 4096 bytes of metadata in all is refused",
				refused(updatesUser().and(sendsA("metadata", func(value any) bool {
					return allTexts(value) && len(encode(value)) > column
				})), 422, complaint("metadata is too long"))),
			fault("scale-metadata-of-user-beyond-its-column", "a new user's metadata is refused where all its keys and values together are more than 4,000 bytes",
				refused(createsUser().and(sendsA("metadata", isLong)), 422, complaint("metadata is too long")))),
		breaks("limits.metadata.value-length",
			fault("scale-update-with-metadata-beyond-4096-characters-refused", "an update of the user refuses metadata of more than 4096 characters in all, as ten values of 500 are",
				refused(updatesUser().and(sendsA("metadata", func(value any) bool { return charactersIn(value) > column })), 422, complaint("metadata is too long")))),
	)
}

// charactersIn counts the characters of all keys and values in a map.
func charactersIn(value any) (length int) {
	entries, _ := value.(map[string]any)
	for key := range entries {
		length += utf8.RuneCountInString(key + fieldText(entries, key))
	}
	return length
}
