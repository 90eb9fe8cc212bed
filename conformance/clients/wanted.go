package clients

import (
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// wanted are the fields of bodies by their endpoint, in the form in which every request needs them.
type wanted map[rules.Endpoint][]param

// param is a field of a body, with the fields in it.
type param struct {
	rules.Param
	inner []rules.Field
}

func newWanted() wanted {
	w := wanted{}
	for _, e := range rules.Endpoints() {
		for _, each := range e.Request().Body {
			w[e] = append(w[e], param{each, each.Of.Fields()})
		}
	}
	return w
}

// required judges whether a body has the fields that its endpoint requires.
func (w wanted) required(r *request) finding {
	record, isObject := r.record()
	if !isObject && !(r.whole && !r.hasBody()) {
		return finding{}
	}
	f := finding{}
	for _, param := range w[r.endpoint] {
		if param.Required != "" {
			f.relevant = true
			if record[param.Name] == nil {
				return violation("%s is missing", param.Name)
			}
		}
		nested, there := jsonvalue.AsRecord(record[param.Name])
		for _, inner := range param.inner {
			if there && inner.Identifies {
				f.relevant = true
				if nested[inner.Name] == nil {
					return violation("%s.%s is missing", param.Name, inner.Name)
				}
			}
		}
	}
	return f
}

// types judges the types of fields.
func (w wanted) types(r *request) finding {
	asked := w[r.endpoint]
	if asked == nil || !r.whole || r.broken != nil || !r.hasBody() {
		return finding{}
	}
	record, isObject := r.record()
	if !isObject {
		return violation("the body is %s, not an object", jsonvalue.Cut(jsonvalue.Show(r.sent), shownText))
	}
	for _, param := range asked {
		if problem := mistyped("", record, param.Field); problem != "" {
			return violation("%s", problem)
		}
		nested, there := jsonvalue.AsRecord(record[param.Name])
		for _, inner := range param.inner {
			if !there {
				break
			}
			if problem := mistyped(param.Name+".", nested, inner); problem != "" {
				return violation("%s", problem)
			}
		}
	}
	return kept
}
