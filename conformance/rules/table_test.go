package rules_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// rowsOf returns the rows of the first table of a part of the contract, without its heading.
func rowsOf(t *testing.T, part string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.SplitSeq(rules.ReadContract().Part(part), "\n") {
		if !strings.HasPrefix(line, "|") {
			if rows != nil {
				break
			}
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.Trim(strings.TrimSpace(cell), "`"))
		}
		rows = append(rows, cells)
	}
	if len(rows) < 3 {
		t.Fatalf("the contract's part %q has no table", part)
	}
	return rows[2:]
}

func TestResourcesHaveTheContractsFieldsAndTypes(t *testing.T) {
	words := map[string]rules.Type{"integer": rules.IDType, "string": rules.TextType, "boolean": rules.FlagType, "timestamp": rules.TimeType,
		"float": rules.NumberType, "map of string to string": rules.TextMapType, "object of string to string": rules.TextMapType,
		"array of objects": rules.ImagesType, "Object": rules.ObjectType}
	for _, resource := range []rules.Resource{rules.User, rules.Connection, rules.Event, rules.Object} {
		fields := map[string]rules.Field{}
		for _, field := range resource.Fields() {
			fields[field.Name] = field
		}
		rows := rowsOf(t, string(resource))
		if len(rows) != len(fields) {
			t.Errorf("%s has %d fields, the contract %d", resource, len(fields), len(rows))
		}
		for _, row := range rows {
			name, documented := row[0], row[1]
			field, there := fields[name]
			if !there {
				t.Errorf("%s has no field %s", resource, name)
				continue
			}
			var want rules.Type
			for word, typ := range words {
				if strings.HasPrefix(documented, word) {
					want = typ
				}
			}
			switch {
			case name == "password":
				want = "" // no answer has it
			case name == "type" && resource == rules.Connection:
				want = rules.KindType
			}
			if field.Type != want {
				t.Errorf("%s.%s is %q, the contract says %q", resource, name, field.Type, documented)
			}
			if server := row[2] == "server-set" || row[2] == "server-assigned"; server && field.Sent != nil {
				t.Errorf("%s.%s may be sent, and the server sets it", resource, name)
			}
		}
	}
}

func TestEndpointsAreThoseOfTheContractsTable(t *testing.T) {
	status := regexp.MustCompile(`\b20[0-9]\b`)
	for _, row := range rowsOf(t, "Endpoints") {
		number, _ := strconv.Atoi(row[0])
		e := rules.Endpoint(number)
		path, _, _ := strings.Cut(row[2], "?")
		if e.Method() != row[1] || e.Path() != path {
			t.Errorf("endpoint %d is %s, the contract says %s %s", number, e, row[1], path)
		}
		caller := map[string]rules.Caller{"app token only": rules.Application, "both": rules.SessionUser, "no credentials shown": rules.AnyCaller}[row[3]]
		if e.Caller() != caller {
			t.Errorf("%s may be called by %d, the contract says %q", e, e.Caller(), row[3])
		}
		if found := status.FindString(row[5]); found != strconv.Itoa(e.Success()) {
			t.Errorf("%s succeeds with %d, the contract says %q", e, e.Success(), row[5])
		}
		answer := e.Answer()
		list, of := strings.Contains(row[5], "array of "), answer.Resource
		if list != answer.List || (of == rules.User || of == rules.Event || of == rules.Connection) && !strings.Contains(row[5], string(of)) {
			t.Errorf("%s answers %+v, the contract says %q", e, answer, row[5])
		}
	}
}

func TestValidBodiesHaveWhatIsRequiredInTheDocumentedTypes(t *testing.T) {
	fill := func(rules.Source) any { return "x" }
	for _, e := range rules.Endpoints() {
		request := e.Request()
		body := request.ValidBody(fill)
		for field := range request.Required() {
			if body[field] == nil {
				t.Errorf("the valid body of %s lacks %s", e, field)
			}
		}
		for name, value := range body {
			param, known := request.Param(name)
			if !known || !param.Sent[0].Allows(value) {
				t.Errorf("the valid body of %s has %s = %v, which is not %s", e, name, value, param.Sent)
			}
		}
		for name, value := range request.FurtherFields(fill) {
			if param, known := request.Param(name); !known || !param.Sent[0].Allows(value) {
				t.Errorf("a further field of %s is %s = %v, which is not %s", e, name, value, param.Sent)
			}
		}
		if parameters := strings.Count(e.Path(), "{"); parameters != len(request.Path) {
			t.Errorf("%s has %d path parameters, and values for %d", e, parameters, len(request.Path))
		}
	}
}

func TestEveryRuleOfARequestIsInTheCatalogue(t *testing.T) {
	catalogue := rules.Load()
	for _, e := range rules.Endpoints() {
		request := e.Request()
		named := []string{request.WrongType, request.Malformed, request.NotAnObject, request.EitherRule}
		for _, rule := range request.Required() {
			named = append(named, rule)
		}
		for _, id := range named {
			if _, known := catalogue.Rule(id); id != "" && !known {
				t.Errorf("%s names the rule %q, which is in no catalogue", e, id)
			}
		}
	}
}

// A server may let nobody have what another user has: two requests that carried the same would get a 409.
func TestRequestsNeverIdentifyTwoUsersAlike(t *testing.T) {
	for _, endpoint := range []rules.Endpoint{rules.CreateUser, rules.UpdateMe} {
		request := endpoint.Request()
		const own = "of this request"
		fill := func(rules.Source) any { return own }
		for _, body := range []map[string]any{request.ValidBody(fill), request.FurtherFields(fill)} {
			for _, name := range []string{"user_name", "email", "custom_id", "social_ids"} {
				if value, sent := body[name]; sent && value != own {
					t.Errorf("%s sends %s %q for every user", endpoint, name, value)
				}
			}
		}
	}
}
