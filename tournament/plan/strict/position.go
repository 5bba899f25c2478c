package strict

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"
)

// separator joins the keys of a path. No key contains it, and none is empty: see [index.key].
const separator = "\x00"

// Join names a key in a table within the table at hand.
func Join(parts ...string) string { return strings.Join(parts, separator) }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + separator + key
}

// maxPath is how many bytes a path may have to be noted: more than any that a reader asks for, and
// few enough that tables within tables within tables do not fill the memory.
const maxPath = 200

// maxKeys bounds the keys of a table and maxTables the tables of a file: go-toml compares each key with all
// others of its table, so that 100,000 would take it a minute.
const (
	maxKeys   = 1000
	maxTables = 20_000
)

// index finds the places of keys. The elements of arrays of tables are numbered from 1.
type index struct {
	at     map[string]int // offset by path
	counts map[string]int // elements of arrays of tables by path
	wrong  *finding       // the first key that is not allowed; nil: none
}

// positions returns the offset of every key in a text, up to the first error of syntax if there is any, and
// the first key that is one too many or a name that no key has. The syntax tree is the only thing in go-toml that knows places;
// its package is called unstable, so nothing but the wording of errors depends on it.
func positions(text []byte) (at map[string]int, wrong *finding) {
	x := index{at: map[string]int{}, counts: map[string]int{}}
	var p unstable.Parser
	p.Reset(text)
	table := ""
	keys, tables := 0, 0
	for p.NextExpression() && x.wrong == nil {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			keys, tables = 0, tables+1
			x.bound(e, tables, maxTables)
			table = x.note("", e.Key(), e.Kind == unstable.ArrayTable)
		case unstable.KeyValue:
			keys++
			x.bound(e, keys, maxKeys)
			x.pair(table, e)
		}
	}
	return x.at, x.wrong
}

// bound notes the first expression that is one too many.
func (x *index) bound(e *unstable.Node, n, limit int) {
	if keys := e.Key(); n > limit && keys.Next() {
		x.refuse(keys.Node(), fmt.Errorf("more than the %d keys in a table, or %d tables, that are allowed", maxKeys, maxTables))
	}
}

// key notes the first key that is empty or has a control character. No plan needs such a key, and without
// them a path names one table only.
func (x *index) key(n *unstable.Node) {
	if len(n.Data) == 0 || bytes.ContainsFunc(n.Data, unicode.IsControl) {
		x.refuse(n, fmt.Errorf("found the key %q; allowed are keys of at least one character, without control characters", short(string(n.Data))))
	}
}

func (x *index) refuse(n *unstable.Node, err error) {
	if x.wrong == nil {
		x.wrong = &finding{"", int(n.Raw.Offset), err}
	}
}

// extend joins paths that are to be noted. One that is too long for it does not grow.
func extend(path, key string) string {
	if len(path) > maxPath {
		return path
	}
	return join(path, key)
}

// note notes the places of the keys of a dotted key, and returns its path.
func (x *index) note(path string, keys unstable.Iterator, array bool) string {
	for keys.Next() {
		key := keys.Node()
		x.key(key)
		path = extend(path, string(key.Data))
		x.first(path, key)
		if array && keys.IsLast() {
			x.counts[path]++
		}
		if n := x.counts[path]; n > 0 { // the table meant is in the latest element
			path = extend(path, strconv.Itoa(n))
			x.first(path, key)
		}
	}
	return path
}

func (x *index) first(path string, key *unstable.Node) {
	if _, known := x.at[path]; !known && len(path) <= maxPath {
		x.at[path] = int(key.Raw.Offset)
	}
}

// pair notes a key and what is in its value.
func (x *index) pair(table string, e *unstable.Node) {
	x.value(x.note(table, e.Key(), false), e.Value())
}

func (x *index) value(path string, v *unstable.Node) {
	children := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for n := 1; children.Next(); n++ {
			x.bound(children.Node(), n, maxKeys)
			x.pair(path, children.Node())
		}
	case unstable.Array:
		for i := 1; children.Next(); i++ {
			x.value(extend(path, strconv.Itoa(i)), children.Node())
		}
	}
}
