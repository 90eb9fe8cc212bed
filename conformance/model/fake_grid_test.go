package model

import (
	"context"
	"encoding/json"
	"slices"
)

// gridTarget refuses every input with a defect, or takes them all.
type gridTarget struct {
	*fake
	lenient bool
}

func (g *gridTarget) Do(ctx context.Context, r Request) (Response, error) {
	if r.Raw != "" || mistyped(r.Body) || lacking(r) {
		if g.lenient {
			return Response{Status: 201, Body: Fields{"id": json.Number("1")}}, nil
		}
		return refuse(422), nil
	}
	return g.fake.Do(ctx, r)
}

// mistyped reports whether a body is one of the grid's: every text in it is where
// a text belongs, and the like.
func mistyped(body any) bool {
	fields, _ := body.(map[string]any)
	for name, v := range fields {
		switch v := v.(type) {
		case string:
			if slices.Contains([]string{"latitude", "longitude", "metadata", "object", "social_ids", "connection_ids"}, name) {
				return true
			}
		case map[string]any:
			if !slices.Contains([]string{"metadata", "object", "social_ids"}, name) {
				return true
			}
			for inner, each := range v {
				_, text := each.(string)
				names, isMap := each.(map[string]any)
				if inner == "display_name" && (!isMap || mistypedTexts(names)) || inner != "display_name" && !text {
					return true
				}
			}
		case []any:
			if name != "connection_ids" || mistypedList(v) {
				return true
			}
		case json.Number, int:
			if !slices.Contains([]string{"latitude", "longitude", "user_to_id"}, name) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func mistypedTexts(o Fields) bool {
	for _, v := range o {
		if _, text := v.(string); !text {
			return true
		}
	}
	return false
}

func mistypedList(list []any) bool {
	return slices.ContainsFunc(list, func(v any) bool { _, text := v.(string); return !text })
}

// lacking reports whether a request lacks what its endpoint requires, or has too much.
func lacking(r Request) bool {
	fields, _ := r.Body.(map[string]any)
	for name := range required(r.Endpoint) {
		if _, there := fields[name]; !there {
			return true
		}
	}
	metadata, _ := fields["metadata"].(map[string]any)
	for key, v := range metadata {
		if s, _ := v.(string); len([]rune(key)) > 40 || len([]rune(s)) > 500 {
			return true
		}
	}
	if object, there := fields["object"].(map[string]any); there && object["id"] == nil {
		return true
	}
	kind, _ := fields["type"].(string)
	return len(metadata) > 10 || kind != "" && kind != "follow" && kind != "friend"
}
