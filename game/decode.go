package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// DecodePosition reads one JSON object and nothing after it, for Game.Analyse. The fields of position
// are pointers, so that a missing member is nil; example is an object that is allowed.
func DecodePosition(line []byte, position any, example string) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(position); err != nil {
		var mismatch *json.UnmarshalTypeError
		switch {
		case !errors.As(err, &mismatch):
			return err
		case mismatch.Field == "":
			return fmt.Errorf("found %s, allowed is an object such as %s", mismatch.Value, example)
		}
		return fmt.Errorf("%q is a %s, allowed is an object such as %s", mismatch.Field, mismatch.Value, example)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON object")
	}
	return nil
}

// EncodePosition writes a position as DecodePosition reads it, for Positional.FormatPosition: a struct of texts and sides.
func EncodePosition(position any) []byte {
	text, err := json.Marshal(position)
	if err != nil {
		panic(err) // texts and sides can be written
	}
	return text
}
