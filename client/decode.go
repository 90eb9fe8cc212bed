package client

import (
	"context"
	"encoding/json"
	"errors"
)

// doer is the Do of a Client or a Session.
type doer func(context.Context, Request, any) error

// one sends r, whose answer is one T.
func one[T any](ctx context.Context, do doer, r Request) (*T, error) {
	answer := new(T)
	if err := do(ctx, r, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// many sends r, whose answer is an array of T.
func many[T any](ctx context.Context, do doer, r Request) ([]T, error) {
	var answer array[T]
	if err := do(ctx, r, &answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// array refuses null, which a slice takes for an array.
type array[T any] []T

func (a *array[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return errors.New("null instead of an array")
	}
	return json.Unmarshal(data, (*[]T)(a))
}
