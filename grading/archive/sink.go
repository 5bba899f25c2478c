package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"luzhanqi/text"
)

// sink is where files are unpacked to. It believes nothing.
type sink struct {
	root   *os.Root
	limits Limits
	packed int64             // bytes of the archive; 0: a folder
	bytes  int64             // written
	files  int               // files, folders and links made
	seen   map[string]string // paths, by how they are spelt without case
	links  []link            // to be made when all files are there, so that nothing is written through one
}

type link struct{ path, target string }

// admit checks the path of an entry and returns its clean form; "." is the whole.
func admit(name string) (string, error) {
	switch {
	case name == "":
		return "", refuse("", "an entry has no name")
	case !utf8.ValidString(name):
		return "", refuse(name, "has a name that is not UTF-8")
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }):
		return "", refuse(name, "has control characters in its name")
	case strings.HasPrefix(name, "/"):
		return "", refuse(name, "has an absolute path; allowed are paths inside the submission")
	case strings.Contains(name, `\`):
		return "", refuse(name, `has a backslash in its name; paths in archives are separated by "/"`)
	case len(name) > 1 && name[1] == ':':
		return "", refuse(name, "has a path that begins with a drive; allowed are paths inside the submission")
	case len(name) > maxPath:
		return "", refuse(name, "has a path of %d bytes; allowed are %d", len(name), maxPath)
	}
	parts := strings.Split(name, "/")
	for _, part := range parts {
		if part == ".." {
			return "", refuse(name, `has a path with ".."; allowed are paths inside the submission`)
		}
		if len(part) > maxName {
			return "", refuse(name, "has a name of %d bytes; allowed are %d", len(part), maxName)
		}
	}
	clean := path.Clean(name)
	if depth := strings.Count(clean, "/"); depth >= maxDepth {
		return "", refuse(name, "is %d folders deep; allowed are %d", depth, maxDepth)
	}
	return clean, nil
}

// ignored says whether an entry is what systems add by themselves.
func ignored(clean string) bool {
	base := path.Base(clean)
	return base == ".DS_Store" || strings.HasPrefix(base, "._") || clean == "__MACOSX" || strings.HasPrefix(clean, "__MACOSX/")
}

// claim makes sure that a path, and each folder on the way to it, is new or the same, in its case too.
// It counts what is new.
func (s *sink) claim(entry, clean string, folder bool) error {
	for at := 0; at <= len(clean); at++ {
		whole := at == len(clean)
		if !whole && clean[at] != '/' {
			continue
		}
		prefix := clean[:at]
		folded := fold(prefix)
		before, known := s.seen[folded]
		switch {
		case known && strings.TrimSuffix(before, "/") != prefix:
			return refuse(entry, "differs from %q only in case; on many systems they are the same file", strings.TrimSuffix(before, "/"))
		case known && whole && !folder && !strings.HasSuffix(before, "/"):
			return refuse(entry, "is there twice")
		case known && strings.HasSuffix(before, "/") != (folder || !whole):
			return refuse(entry, "is a file and a folder at the same time")
		case known:
			continue
		}
		if s.files++; s.files > s.limits.Files {
			return refuse("", "it holds more than %d files and folders, which is the most allowed", s.limits.Files)
		}
		if folder || !whole {
			s.seen[folded] = prefix + "/"
			if err := s.root.Mkdir(prefix, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		} else {
			s.seen[folded] = prefix
		}
	}
	return nil
}

// fold is a path as systems see it that do not tell capitals from small letters.
func fold(path string) string { return strings.ToLower(strings.ToUpper(path)) }

// file writes a file.
func (s *sink) file(entry, clean string, executable bool, content io.Reader) error {
	if clean == "." {
		return refuse(entry, "is a file without a name")
	}
	if err := s.claim(entry, clean, false); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	out, err := s.root.OpenFile(clean, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(counted{s, out}, content)
	return fault(entry, errors.Join(err, out.Close()))
}

// counted writes as long as the limits allow.
type counted struct {
	sink *sink
	out  io.Writer
}

func (c counted) Write(b []byte) (int, error) {
	s := c.sink
	s.bytes += int64(len(b))
	switch {
	case s.bytes > s.limits.Bytes:
		return 0, refuse("", "it is larger than %v when unpacked, which is the most allowed", text.Bytes(s.limits.Bytes))
	case s.packed > 0 && s.bytes > ratioBegins && s.bytes/s.packed > s.limits.Ratio:
		return 0, refuse("", "it grows to more than %d times its size when unpacked, which is the most allowed", s.limits.Ratio)
	}
	return c.out.Write(b)
}

// folder makes a folder.
func (s *sink) folder(entry, clean string) error {
	if clean == "." {
		return nil
	}
	return s.claim(entry, clean, true)
}

// link notes a symbolic link.
func (s *sink) link(entry, clean, target string) error {
	switch {
	case clean == ".":
		return refuse(entry, "is a link without a name")
	case target == "" || len(target) > maxTarget || !utf8.ValidString(target) || strings.ContainsRune(target, 0):
		return refuse(entry, "is a link that leads to no possible name")
	case path.IsAbs(target) || strings.Contains(target, `\`) || len(target) > 1 && target[1] == ':':
		return refuse(entry, "is a link to %.100q; allowed are links that stay inside the submission", target)
	}
	if err := s.claim(entry, clean, false); err != nil {
		return err
	}
	s.links = append(s.links, link{clean, target})
	return nil
}

// makeLinks makes the links and follows each: the system knows best where a chain of links ends, and a Root
// lets none out.
func (s *sink) makeLinks() error {
	for _, l := range s.links {
		if err := s.root.Symlink(l.target, l.path); err != nil {
			return err
		}
	}
	for _, l := range s.links {
		if _, err := s.root.Stat(l.path); err != nil {
			return refuse(l.path, "is a link to %.100q, which leads out of the submission or nowhere; allowed are links that stay inside", l.target)
		}
	}
	return nil
}
