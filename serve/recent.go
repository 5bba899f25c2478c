package serve

import "sync"

// recent keeps the latest of what takes long to make.
type recent[T any] struct {
	mu    sync.Mutex
	all   map[string]T
	order []string // the latest last
}

// remembered is how many are kept in memory.
const remembered = 16

func (r *recent[T]) find(key string) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.all[key]
	return known, ok
}

// keep keeps one, also if another request has made the same meanwhile.
func (r *recent[T]) keep(key string, made T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[string]T{}
	}
	if _, known := r.all[key]; !known {
		r.order = append(r.order, key)
	}
	r.all[key] = made
	if len(r.order) > remembered {
		delete(r.all, r.order[0])
		r.order = r.order[1:]
	}
}
