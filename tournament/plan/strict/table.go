package strict

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"luzhanqi/text"
)

// Table is a table of a document, or one that is missing, which behaves like an empty one.
type Table struct {
	document *Document
	path     string
	values   map[string]any
	known    []string // keys that were asked for
}

// table is the table at a path, the same one each time, so that it knows all keys it was ever asked for.
func (d *Document) table(path string, values map[string]any) *Table {
	if again := d.tables[path]; again != nil {
		return again
	}
	t := &Table{document: d, path: path, values: values}
	d.tables[path] = t
	return t
}

// Errorf reports an error at a key, or if the key is empty at the table.
func (t *Table) Errorf(key, format string, args ...any) {
	path := t.path
	if key != "" {
		path = join(path, key)
	}
	t.document.found = append(t.document.found, t.document.find(path, fmt.Errorf(format, args...)))
}

// Error reports an error at a key, unless it is nil.
func (t *Table) Error(key string, err error) {
	if err != nil {
		t.Errorf(key, "%w", err)
	}
}

// Has says whether a key is there. It need not be known.
func (t *Table) Has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// IsArray says whether a key is there and is an array.
func (t *Table) IsArray(key string) bool {
	_, ok := t.values[key].([]any)
	return ok
}

// Renamed lets files go on with the name that a key had before.
func (t *Table) Renamed(old, key string) {
	value, ok := t.values[old]
	if !ok || t.Has(key) {
		return // both are there: the old one is unknown
	}
	delete(t.values, old)
	t.values[key] = value
	t.document.at[join(t.path, key)] = t.document.at[join(t.path, old)]
}

// take makes a key known and returns its value.
func (t *Table) take(key string) (any, bool) {
	if !slices.Contains(t.known, key) {
		t.known = append(t.known, key)
	}
	v, ok := t.values[key]
	return v, ok
}

// Require reports each of the keys that is missing.
func (t *Table) Require(keys ...string) {
	for _, key := range keys {
		if !t.Has(key) {
			t.Errorf("", "%s is missing", key)
		}
	}
}

// unknown is an error for each key that nobody has asked for.
func (t *Table) unknown() (all []finding) {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if slices.Contains(t.known, key) {
			continue
		}
		err := errors.New("unknown key; none is allowed here")
		if len(t.known) > 0 {
			err = fmt.Errorf("unknown key; allowed are %s", strings.Join(t.known, ", "))
		}
		all = append(all, t.document.find(join(t.path, key), err))
	}
	return all
}

// scalar takes out a value of one kind; false: it is missing or of another.
func scalar[T any](t *Table, key, allowed string) (value T, ok bool) {
	v, there := t.take(key)
	if !there {
		return value, false
	}
	if value, ok = v.(T); !ok {
		t.Errorf(key, "found %s; allowed is %s", show(v), allowed)
	}
	return value, ok
}

// Text takes out a string without control characters.
func (t *Table) Text(key, otherwise string) string {
	s, ok := scalar[string](t, key, "a string")
	if !ok {
		return otherwise
	}
	for _, c := range s {
		if c < ' ' || c == 0x7f {
			t.Errorf(key, "found the control character %q; allowed is text", c)
			return otherwise
		}
	}
	return s
}

// Word takes out one of several words.
func (t *Table) Word(key, otherwise string, allowed ...string) string {
	word, ok := scalar[string](t, key, "one of the words "+strings.Join(allowed, ", "))
	switch {
	case !ok:
	case !slices.Contains(allowed, word):
		t.Errorf(key, "found %q; allowed are %s", short(word), strings.Join(allowed, ", "))
	default:
		return word
	}
	return otherwise
}

// Flag takes out true or false.
func (t *Table) Flag(key string, otherwise bool) bool {
	if flag, ok := scalar[bool](t, key, "true or false"); ok {
		return flag
	}
	return otherwise
}

// Whole takes out a whole number.
func (t *Table) Whole(key string, otherwise, low, high int64) int64 {
	allowed := fmt.Sprintf("a whole number from %d to %d", low, high)
	if high == math.MaxInt64 {
		allowed = fmt.Sprintf("a whole number from %d", low)
	}
	n, ok := scalar[int64](t, key, allowed)
	switch {
	case !ok:
	case n < low || n > high:
		t.Errorf(key, "found %d; allowed is %s", n, allowed)
	default:
		return n
	}
	return otherwise
}

// Number takes out a number, written with or without a fraction.
func (t *Table) Number(key string, otherwise, low, high float64) float64 {
	allowed := fmt.Sprintf("a number from %v to %v", low, high)
	var x float64
	var ok bool
	if n, whole := t.values[key].(int64); whole {
		t.take(key)
		x, ok = float64(n), true
	} else {
		x, ok = scalar[float64](t, key, allowed)
	}
	switch {
	case !ok:
	case !(x >= low && x <= high): // NaN too
		t.Errorf(key, "found %v; allowed is %s", x, allowed)
	default:
		return x
	}
	return otherwise
}

// Words takes out an array of strings.
func (t *Table) Words(key string) []string {
	var all []string
	values, _ := scalar[[]any](t, key, "an array of strings")
	for i, v := range values {
		word, ok := v.(string)
		if !ok {
			t.Errorf(join(key, strconv.Itoa(i+1)), "found %s; allowed is a string", show(v))
		}
		all = append(all, word)
	}
	return all
}

// Names takes out a table of strings by any names.
func (t *Table) Names(key string) map[string]string {
	all := map[string]string{}
	values, _ := scalar[map[string]any](t, key, `a table of strings such as { NAME = "value" }`)
	for name, v := range values {
		if value, ok := v.(string); ok {
			all[name] = value
		} else {
			t.Errorf(join(key, name), "found %s; allowed is a string", show(v))
		}
	}
	return all
}

// Table takes out a table.
func (t *Table) Table(key string) *Table {
	values, _ := scalar[map[string]any](t, key, "a table")
	return t.document.table(join(t.path, key), values)
}

// Tables takes out an array of tables.
func (t *Table) Tables(key string) []*Table {
	allowed := fmt.Sprintf("one or more tables, each begun with [[%s]]", key)
	var all []*Table
	values, _ := scalar[[]any](t, key, allowed)
	for i, v := range values {
		path := join(key, strconv.Itoa(i+1))
		values, ok := v.(map[string]any)
		if !ok {
			t.Errorf(path, "found %s; allowed are %s", show(v), allowed)
		}
		all = append(all, t.document.table(join(t.path, path), values))
	}
	return all
}

// show says what a value is, shortly.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the string %q", short(v))
	case map[string]any:
		return "a table"
	case []any:
		return "an array"
	case bool, int64, float64:
		return fmt.Sprint(v)
	default:
		return fmt.Sprintf("the date or time %v", v)
	}
}

// short shortens what would fill the screen.
func short(s string) string { return text.Shorten(s, 60) }
