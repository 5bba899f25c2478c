// Package latest remembers the latest of what takes long to make, and forgets what is older.
package latest

import "sync"

// Of remembers things by their keys; the zero value remembers none yet. It may be used by several goroutines.
type Of[T any] struct {
	mu    sync.Mutex
	all   map[string]T
	order []string // the latest last
}

// remembered is how many are kept in memory.
const remembered = 16

// Find returns what was kept with a key, unless it is forgotten.
func (l *Of[T]) Find(key string) (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known, ok := l.all[key]
	return known, ok
}

// Keep keeps one, also if another request has made the same meanwhile.
func (l *Of[T]) Keep(key string, made T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string]T{}
	}
	if _, known := l.all[key]; !known {
		l.order = append(l.order, key)
	}
	l.all[key] = made
	if len(l.order) > remembered {
		delete(l.all, l.order[0])
		l.order = l.order[1:]
	}
}
