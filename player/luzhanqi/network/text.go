package network

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
)

// encode is the form in which weights, a pointer to numbers of fixed size, are kept, below the lines of the header.
func encode(header string, weights any) string {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	binary.Write(z, binary.LittleEndian, weights)
	z.Close()
	var b strings.Builder
	for line := range strings.Lines(header) {
		b.WriteString("# " + line)
	}
	code := base64.StdEncoding.AppendEncode(nil, packed.Bytes())
	for line := range slices.Chunk(code, 120) {
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// decode reads what encode writes.
func decode(text string, weights any) error {
	var code strings.Builder
	for line := range strings.Lines(text) {
		if line[0] != '#' {
			code.WriteString(strings.TrimSpace(line))
		}
	}
	packed, err := base64.StdEncoding.DecodeString(code.String())
	if err != nil {
		return err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	size := binary.Size(weights)
	raw, err := io.ReadAll(io.LimitReader(z, int64(size)+1))
	if err != nil {
		return err
	}
	if len(raw) != size {
		return fmt.Errorf("%d bytes of weights, must be %d", len(raw), size)
	}
	return binary.Read(bytes.NewReader(raw), binary.LittleEndian, weights)
}
