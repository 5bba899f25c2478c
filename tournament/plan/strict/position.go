package strict

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// separator joins the keys of a path. No key can contain it: TOML forbids control characters other than
// tab, but for escaped ones, and a path that is mistaken costs no more than a wrong place in an error.
const separator = "\x00"

// Join names a key in a table within the table at hand.
func Join(parts ...string) string { return strings.Join(parts, separator) }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + separator + key
}

// longest is how many bytes a path may have to be noted: more than any that a reader asks for, and
// few enough that tables within tables within tables do not fill the memory.
const longest = 200

// mostKeys bounds the keys of a table and mostTables the tables of a file: go-toml compares each key with all
// others of its table, so that 100,000 would take it a minute.
const (
	mostKeys   = 1000
	mostTables = 20_000
)

// index finds the places of keys. The elements of arrays of tables are numbered from 1.
type index struct {
	at     map[string]int // offset by path
	counts map[string]int // elements of arrays of tables by path
	excess int            // offset of the first key beyond the bounds; negative: none
}

// positions returns the offset of every key in a text, up to the first error of syntax if there is any, and
// that of the first key that is one too many. The syntax tree is the only thing in go-toml that knows places;
// its package is called unstable, so nothing but the wording of errors depends on it.
func positions(text []byte) (at map[string]int, excess int) {
	x := index{map[string]int{}, map[string]int{}, -1}
	var p unstable.Parser
	p.Reset(text)
	table := ""
	keys, tables := 0, 0
	for p.NextExpression() && x.excess < 0 {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			keys, tables = 0, tables+1
			x.bound(e, tables, mostTables)
			table = x.note("", e.Key(), e.Kind == unstable.ArrayTable)
		case unstable.KeyValue:
			keys++
			x.bound(e, keys, mostKeys)
			x.pair(table, e)
		}
	}
	return x.at, x.excess
}

// bound notes the first expression that is one too many.
func (x *index) bound(e *unstable.Node, n, most int) {
	if keys := e.Key(); n > most && x.excess < 0 && keys.Next() {
		x.excess = int(keys.Node().Raw.Offset)
	}
}

// extend joins paths that are to be noted. One that is too long for it does not grow.
func extend(path, key string) string {
	if len(path) > longest {
		return path
	}
	return join(path, key)
}

// note notes the places of the keys of a dotted key, and returns its path.
func (x *index) note(path string, keys unstable.Iterator, array bool) string {
	for keys.Next() {
		key := keys.Node()
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
	if _, known := x.at[path]; !known && len(path) <= longest {
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
			x.bound(children.Node(), n, mostKeys)
			x.pair(path, children.Node())
		}
	case unstable.Array:
		for i := 1; children.Next(); i++ {
			x.value(extend(path, strconv.Itoa(i)), children.Node())
		}
	}
}
