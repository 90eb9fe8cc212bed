package value

// EventFields returns the fields of an event that a client may set.
func EventFields() []string {
	return []string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object"}
}

// objectFields returns the fields of an event's object.
func objectFields() []string { return []string{"id", "type", "url", "display_name"} }
