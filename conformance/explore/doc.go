// Package explore says what a run explores beyond its scenarios: in which order drawn stories and inputs with a defect
// are tried, which of them fit into what may be sent, what they cost, and how a report tells what they have found.
package explore
