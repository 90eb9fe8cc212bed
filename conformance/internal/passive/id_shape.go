package passive

import (
	"encoding/json"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
)

// idShape names the shape of an id as it stands in a response, for the report.
func idShape(value any) string {
	switch v := value.(type) {
	case json.Number:
		if jsonvalue.IsInteger(v) {
			return "integer"
		}
	case string:
		switch {
		case v != "" && strings.Trim(v, "0123456789") == "":
			return "digit string"
		case isUUID(v):
			return "UUID"
		}
	}
	return "other"
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, r := range s {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if r != '-' {
				return false
			}
		} else if !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return false
		}
	}
	return true
}
