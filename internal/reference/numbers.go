package reference

import (
	"context"
	"fmt"
	"math/big"

	"github.com/parley-rpc/parley/message"
)

// Operands are two numbers, by name {"a","b"} or by position [a, b]. They are kept as
// they were written, so that integers of any length are added exactly.
type Operands struct {
	A, B message.Raw
}

// UnmarshalJSON takes both forms.
func (o *Operands) UnmarshalJSON(text []byte) error {
	var pair []message.Raw
	if message.Raw(text).Decode(&pair) == nil {
		if len(pair) != 2 {
			return fmt.Errorf("want two numbers, got %d values", len(pair))
		}
		o.A, o.B = pair[0], pair[1]
		return nil
	}
	var named struct {
		A message.Raw `json:"a"`
		B message.Raw `json:"b"`
	}
	if err := message.Raw(text).Decode(&named); err != nil {
		return err
	}
	o.A, o.B = named.A, named.B
	return nil
}

// MarshalJSON writes the operands by name.
func (o Operands) MarshalJSON() ([]byte, error) {
	return message.Encode(map[string]message.Raw{"a": o.A, "b": o.B})
}

func add(_ context.Context, o Operands) (message.Raw, error) {
	return o.compute((*big.Int).Add, func(a, b float64) float64 { return a + b })
}

func multiply(_ context.Context, o Operands) (message.Raw, error) {
	return o.compute((*big.Int).Mul, func(a, b float64) float64 { return a * b })
}

// maxDigits bounds the integers that are computed exactly, and so the time it takes.
const maxDigits = 1000

// compute works on integers exactly and on everything else as float64.
func (o Operands) compute(
	exact func(z, x, y *big.Int) *big.Int, inexact func(a, b float64) float64,
) (message.Raw, error) {
	a, b := new(big.Int), new(big.Int)
	if len(o.A) <= maxDigits && len(o.B) <= maxDigits {
		_, okA := a.SetString(string(o.A), 10)
		_, okB := b.SetString(string(o.B), 10)
		if okA && okB {
			return message.Raw(exact(new(big.Int), a, b).String()), nil
		}
	}
	x, err := float("/a", o.A)
	if err != nil {
		return nil, err
	}
	y, err := float("/b", o.B)
	if err != nil {
		return nil, err
	}
	return message.Encode(inexact(x, y))
}

// float reads an operand, which may be missing or no number.
func float(pointer string, text message.Raw) (float64, error) {
	if len(text) == 0 {
		return 0, invalid(pointer, "want a number, got nothing")
	}
	var x float64
	if err := text.Decode(&x); err != nil || text.String() == "null" {
		return 0, invalid(pointer, "want a number, got "+text.String())
	}
	return x, nil
}
