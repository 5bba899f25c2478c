package seat

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// frame is what is said at once on a connection: what has arrived up to now, data, and perhaps the end.
//
// On the wire it is 8 bytes for how much has arrived in all, 4 for the length of what follows, whose highest bit says that it
// is the reason of the end and not data, and then that; numbers begin with their highest byte.
type frame struct {
	total  uint64
	data   []byte
	end    bool
	reason string
}

const (
	head    = 12
	endBit  = 1 << 31
	longest = 64 << 10 // of a frame's data
)

// encode returns the bytes of a frame, or of several where it has much data.
func (f frame) encode(plain bool) (b []byte) {
	if plain {
		return f.data
	}
	put := func(mark uint32, data []byte) {
		b = binary.BigEndian.AppendUint64(b, f.total)
		b = binary.BigEndian.AppendUint32(b, mark|uint32(len(data)))
		b = append(b, data...)
	}
	for data := f.data; len(data) > 0 || len(b) == 0 && !f.end; {
		n := min(len(data), longest)
		put(0, data[:n])
		data = data[n:]
	}
	if f.end {
		put(endBit, []byte(f.reason[:min(len(f.reason), 1000)]))
	}
	return b
}

// frames reads them.
type frames struct {
	r   io.Reader
	buf *bufio.Reader
}

func (s *frames) next(plain bool) (f frame, err error) {
	if plain {
		b := make([]byte, 4<<10)
		n, err := s.r.Read(b)
		return frame{data: b[:n]}, err
	}
	if s.buf == nil {
		s.buf = bufio.NewReader(s.r)
	}
	var h [head]byte
	if _, err := io.ReadFull(s.buf, h[:]); err != nil {
		return f, err
	}
	f.total = binary.BigEndian.Uint64(h[:])
	n := binary.BigEndian.Uint32(h[8:])
	f.end = n&endBit != 0
	if n &^= endBit; n > longest {
		return f, fmt.Errorf("a frame of %d bytes: allowed are %d", n, longest)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(s.buf, data); err != nil {
		return f, err
	}
	if f.end {
		f.reason = string(data)
	} else {
		f.data = data
	}
	return f, nil
}
