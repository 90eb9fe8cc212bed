package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Bounds are the most that a document may hold.
type Bounds struct {
	Values int // values and keys
	Levels int // of values in one another
}

// longestNumber is the longest number that is read, in bytes: others take long to compute with.
const longestNumber = 64

// DecodeStrictly decodes exactly one JSON value from a text that may come from anywhere, keeping
// the digits of numbers. It refuses what is beyond the bounds, before it takes memory for it, a
// key that an object has twice, since readers disagree about which one counts, and numbers that no
// float64 holds.
func DecodeStrictly(data []byte, most Bounds) (any, error) {
	values, levels := Measure(data)
	switch {
	case levels > most.Levels:
		return nil, fmt.Errorf("its values are nested in more than %d levels", most.Levels)
	case values > most.Values:
		return nil, fmt.Errorf("it holds more than %d values", most.Values)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := decodeStrictly(decoder)
	if errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the first value")
	}
	return value, nil
}

func decodeStrictly(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return strictObject(decoder)
	case json.Delim('['):
		return strictList(decoder)
	}
	if number, ok := token.(json.Number); ok {
		if _, err := strconv.ParseFloat(string(number), 64); err != nil || len(number) > longestNumber {
			return nil, fmt.Errorf("the number %.20s is out of range", number)
		}
	}
	return token, nil
}

func strictObject(decoder *json.Decoder) (any, error) {
	object := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string) // the decoder takes nothing else
		if _, twice := object[key]; twice {
			return nil, fmt.Errorf("the key %.40q stands twice in one object", key)
		}
		if object[key], err = decodeStrictly(decoder); err != nil {
			return nil, err
		}
	}
	_, err := decoder.Token()
	return object, err
}

func strictList(decoder *json.Decoder) (any, error) {
	list := []any{}
	for decoder.More() {
		value, err := decodeStrictly(decoder)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := decoder.Token()
	return list, err
}
