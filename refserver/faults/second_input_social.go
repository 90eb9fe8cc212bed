package faults

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// inputSocial are the faults of bad lists, types and platforms with which connecting by
// social identifiers goes on all the same.
func inputSocial() []Fault {
	numbersAsTexts := func(value any) any {
		list, is := value.([]any)
		if !is {
			return value
		}
		texts := make([]any, len(list))
		for i, item := range list {
			texts[i] = numberAsText(item)
		}
		return texts
	}
	laterAsText := func(value any) any {
		if list, ok := value.([]any); ok && len(list) > 0 && isA[string](list[0]) {
			for i := range list {
				list[i] = numberAsText(list[i])
			}
		}
		return value
	}
	valuesOfMap := func(value any) any {
		entries, is := value.(map[string]any)
		if !is {
			return value
		}
		values := []any{}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			values = append(values, entries[key])
		}
		return values
	}
	return slices.Concat(
		breaks("social.required",
			fault("input-social-null-list-taken", "the list of identifiers may be null",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isNull)), set("connection_ids", []any{}))),
			fault("input-social-own-id-from-record", "platform_user_id may be missing where the user's social_ids have one on the platform",
				intercept(connectsSocially().and(not(sends("platform_user_id"))), func(next http.Handler, r *http.Request) *response {
					known, _ := ownRecord(next, r)["social_ids"].(map[string]any)
					if id := fieldText(known, fieldText(requestObject(r), "platform")); id != "" {
						inBody(set("platform_user_id", id))(r)
					}
					return record(next, r)
				}))),
		breaks("social.type-invalid",
			fault("input-social-plural-type-taken", "the type follows is taken for follow", rewriteBody(connectsSocially().and(sendsA("type", is("follows"))), set("type", "follow"))),
			fault("input-social-type-in-capitals-taken", "connecting by social identifiers takes a type in any case", rewriteBody(connectsSocially(), lowerCased("type")))),
		breaks("social.wrong-type",
			fault("input-social-numbers-in-list-taken", "numbers are taken for the identifiers in a list",
				rewriteBody(connectsSocially(), mapField("connection_ids", eachItem(numberAsText)))),
			fault("input-social-object-for-list-taken", "of an object in place of the list of identifiers nothing is taken",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isA[map[string]any])), set("connection_ids", []any{}))),
			fault("input-social-platform-list-taken", "of a list of platforms the first is taken", rewriteBody(connectsSocially(), mapField("platform", firstOfList))),
			fault("input-social-nested-lists-flattened", "a list of lists is taken for the identifiers of a social connection, as one list",
				rewriteBody(connectsSocially(), mapField("connection_ids", flattened))),
			fault("input-social-contacts-with-id-taken", "of objects in the list of identifiers, as a network lists contacts, the ids are taken",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isA[[]any])), mapField("connection_ids", eachItem(func(value any) any {
					contact, _ := value.(map[string]any)
					if id, named := contact["id"].(string); named {
						return id
					}
					return value
				})))),
			fault("input-social-takes-numbers-among-ids", "connecting by social identifiers takes numbers among the connection_ids",
				rewriteBody(connectsSocially(), mapField("connection_ids", numbersAsTexts))),
			fault("input-only-first-connection-id-checked", "numbers are taken among connection_ids where the first of them is a string",
				rewriteBody(connectsSocially(), mapField("connection_ids", laterAsText))),
			fault("input-contacts-as-map-accepted", "connection_ids that are a map are taken for the list of its values", rewriteBody(connectsSocially(), mapField("connection_ids", valuesOfMap))),
			fault("input-connection-ids-split-at-commas", "a text with commas for connection_ids is accepted and split",
				rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
					if text, is := value.(string); is && strings.Contains(text, ",") {
						return strings.Split(text, ",")
					}
					return value
				}))),
			fault("input-contacts-keyed-by-position", "connection_ids may be an object with positions as keys, as forms send lists",
				rewriteBody(connectsSocially(), mapField("connection_ids", listOfPositions)))),
	)
}

// flattened takes the items out of lists in a list.
func flattened(value any) any {
	list, is := value.([]any)
	if !is {
		return value
	}
	flat := []any{}
	for _, item := range list {
		if inner, nested := item.([]any); nested {
			flat = append(flat, inner...)
			continue
		}
		flat = append(flat, item)
	}
	return flat
}

// listOfPositions makes a list of an object whose keys are digits.
func listOfPositions(value any) any {
	items, ok := value.(map[string]any)
	if !ok || len(items) == 0 {
		return value
	}
	var list []any
	for _, position := range slices.Sorted(maps.Keys(items)) {
		if !isDigits(position) {
			return value
		}
		list = append(list, items[position])
	}
	return list
}
