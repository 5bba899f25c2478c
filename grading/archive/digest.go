package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
)

// Digest is a hash (SHA-256, hexadecimal) of all that Unpack would look at: the bytes of a file; the
// paths, contents, links and executable bits of a folder, whatever their times. What is larger than the
// limits is hashed as far as they go.
func Digest(ctx context.Context, source string, limits Limits) (string, error) {
	info, err := os.Stat(source)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	switch {
	case info.Mode().IsRegular():
		fmt.Fprintf(sum, "file %d\n", info.Size())
		file, err := os.Open(source)
		if err != nil {
			return "", err
		}
		defer file.Close()
		if _, err := io.Copy(sum, io.LimitReader(file, limits.Bytes+1)); err != nil {
			return "", err
		}
	case info.IsDir():
		root, err := os.OpenRoot(source)
		if err != nil {
			return "", err
		}
		defer root.Close()
		d := &digest{ctx: ctx, root: root, sum: sum, bytes: limits.Bytes + 1, files: limits.Files}
		if err := d.folder(".", 0); err != nil {
			return "", err
		}
	default:
		fmt.Fprintf(sum, "special %v\n", info.Mode().Type())
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

type digest struct {
	ctx   context.Context
	root  *os.Root
	sum   hash.Hash
	bytes int64 // that may still be read
	files int   // that may still be listed
}

func (d *digest) folder(at string, depth int) error {
	names, err := list(d.root, at, d.files)
	var refusal *Refusal
	if errors.As(err, &refusal) || depth > maxDepth {
		fmt.Fprintf(d.sum, "refused %q\n", at)
		return nil
	}
	if err != nil {
		return err
	}
	d.files -= len(names)
	for _, name := range names {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if err := d.entry(path.Join(at, name), depth); err != nil {
			return err
		}
	}
	return nil
}

func (d *digest) entry(at string, depth int) error {
	info, err := d.root.Lstat(at)
	if err != nil {
		return err
	}
	mode := info.Mode()
	if mode.IsRegular() {
		fmt.Fprintf(d.sum, "%v %d ", mode&0o111 != 0, info.Size())
	}
	fmt.Fprintf(d.sum, "%v %q\n", mode.Type(), at)
	switch {
	case mode.IsDir():
		return d.folder(at, depth+1)
	case mode.Type() == fs.ModeSymlink:
		target, err := d.root.Readlink(at)
		fmt.Fprintf(d.sum, "%q\n", target)
		return err
	case !mode.IsRegular() || d.bytes <= 0:
		return nil
	}
	file, err := d.root.Open(at)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	n, err := io.Copy(d.sum, io.LimitReader(file, d.bytes))
	d.bytes -= n
	return err
}
