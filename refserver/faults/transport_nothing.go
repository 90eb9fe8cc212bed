package faults

import "net/http"

// nothings are the faults of values that say nothing, where a client sends them:
// they are no reason to answer with some (What the service does, transport rule 5).
func nothings() []Fault {
	const blank, null = "transport.blank-omitted", "transport.no-null"
	said := func(name, rule, summary string, m match, nothing any) Fault {
		return Fault{Name: "transport-" + name, Rule: rule, Summary: summary, Apply: edit(m, func(r *http.Request, resp *response) {
			resp.object(func(resource map[string]any) {
				for field, value := range sent(r) {
					if value == nothing && field != "password" {
						resource[field] = nothing
					}
				}
			})
		})}
	}
	return []Fault{
		said("blank-in-new-user-stays", blank, "fields that a create has blank are blank in its answer", createsUser(), ""),
		said("blank-in-update-stays", blank, "fields that an update of the user has blank are blank in its answer", updatesUser(), ""),
		said("blank-in-new-event-stays", blank, "fields that a new event has blank are blank in the answer", createsEvent(), ""),
		said("blank-in-changed-event-stays", blank, "fields that a change of an event has blank are blank in its answer", updatesEvent(), ""),
		said("null-in-new-user-stays", null, "fields that a create has as null are null in its answer", createsUser(), nil),
		said("null-in-update-stays", null, "fields that an update of the user has as null are null in its answer", updatesUser(), nil),
		said("null-in-new-event-stays", null, "fields that a new event has as null are null in the answer", createsEvent(), nil),
		said("null-in-changed-event-stays", null, "fields that a change of an event has as null are null in its answer", updatesEvent(), nil),
	}
}
