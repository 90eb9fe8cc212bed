package faults

// scaleLimits are the faults of metadata that is within all limits, and too much for its column.
func scaleLimits() []Fault {
	const column = 4096
	return breaks("limits.metadata.keys",
		fault("scale-user-metadata-beyond-4-kb-refused", "an update of the user with more than 4096 bytes of metadata in all is refused",
			refused(updatesUser().and(sendsA("metadata", func(value any) bool {
				return allTexts(value) && len(encode(value)) > column
			})), 422, complaint("metadata is too long"))))
}
