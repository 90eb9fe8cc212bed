package refserver

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Compose merges dialects, named with a plus between them ("lagging+uuid-ids").
// Two that settle one choice differently do not compose.
func Compose(names string) (Choices, error) {
	var composed Choices
	settledBy := make(map[int]string)
	for name := range strings.SplitSeq(names, "+") {
		dialects := Dialects()
		i := slices.IndexFunc(dialects, func(d Dialect) bool { return d.Name == strings.TrimSpace(name) })
		if i < 0 {
			return Choices{}, fmt.Errorf("there is no dialect %q", name)
		}
		from, to := reflect.ValueOf(dialects[i].Choices), reflect.ValueOf(&composed).Elem()
		for field := range from.NumField() {
			value := from.Field(field)
			if value.IsZero() {
				continue
			}
			if other, settled := settledBy[field]; settled && !to.Field(field).Equal(value) {
				return Choices{}, fmt.Errorf("the dialects %s and %s do not compose: %s is %v in one and %v in the other",
					other, name, choiceName(from.Type().Field(field)), to.Field(field), value)
			}
			to.Field(field).Set(value)
			settledBy[field] = name
		}
	}
	return composed, nil
}

// Setting is a choice by name, such as user-ids, and its value as a text; the
// friendly default of a text or a number may be written as a blank.
type Setting struct {
	Name  string
	Value string
}

// Settings lists every choice, in the order of the type's fields.
func (c Choices) Settings() []Setting {
	values := reflect.ValueOf(c)
	list := make([]Setting, values.NumField())
	for i := range list {
		list[i] = Setting{choiceName(values.Type().Field(i)), fmt.Sprint(values.Field(i))}
	}
	return list
}

// Choose sets one choice by name: "lag" to "10s", "user-ids" to "uuid".
func (c *Choices) Choose(name, value string) error {
	fields := reflect.ValueOf(c).Elem()
	for i := range fields.NumField() {
		if choiceName(fields.Type().Field(i)) != name {
			continue
		}
		changed := *c
		if err := setText(reflect.ValueOf(&changed).Elem().Field(i), value); err != nil {
			return fmt.Errorf("choice %s: %w", name, err)
		}
		if err := changed.withDefaults().validate(); err != nil {
			return err
		}
		*c = changed
		return nil
	}
	return fmt.Errorf("there is no choice %q", name)
}

func setText(field reflect.Value, text string) error {
	switch {
	case text == "":
		field.SetZero()
	case field.Type() == reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 10s", text)
		}
		field.SetInt(int64(d))
	case field.Kind() == reflect.Bool:
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		field.SetBool(on)
	case field.CanInt():
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		field.SetInt(n)
	case field.Kind() == reflect.String:
		field.SetString(text)
	default:
		return fmt.Errorf("it cannot be set by name")
	}
	return nil
}

// choiceName writes a field's name as a flag: UserIDs is user-ids, OmitObjectURL
// is omit-object-url.
func choiceName(field reflect.StructField) string {
	name := []rune(strings.NewReplacer("IDs", "Ids").Replace(field.Name))
	var words strings.Builder
	for i, r := range name {
		starts := unicode.IsUpper(r) && i > 0 && (unicode.IsLower(name[i-1]) || i+1 < len(name) && unicode.IsLower(name[i+1]))
		if starts {
			words.WriteByte('-')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}
