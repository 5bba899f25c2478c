package game

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// DecodeAdapter reads the TOML file of an [Adaptable] protocol into a struct. It is strict: an unknown key is
// an error, to which allowed adds what there is. Errors begin with line and column.
func DecodeAdapter(text []byte, into any, allowed string) error {
	const maxAdapter = 64 << 10 // bytes
	if len(text) > maxAdapter {
		return fmt.Errorf("adapter has %d bytes, allowed are %d", len(text), maxAdapter)
	}
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		e := unknown.Errors[0]
		line, column := e.Position()
		return fmt.Errorf("adapter: line %d, column %d: unknown key %s; %s", line, column, strings.Join(e.Key(), "."), allowed)
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		key := ""
		if len(wrong.Key()) > 0 {
			key = strings.Join(wrong.Key(), ".") + ": "
		}
		return fmt.Errorf("adapter: line %d, column %d: %s%s", line, column, key, strings.TrimPrefix(wrong.Error(), "toml: "))
	case err != nil:
		return fmt.Errorf("adapter: %w", err)
	}
	return nil
}
