package tree

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Links says where absolute links may lead, besides into the folder itself.
type Links struct {
	Into  []string // folders: the system's, and those of tools
	Never []string // folders of others, even below those
}

// System are the folders of the system's own programs and libraries, to which tools link: python3 -m venv makes
// links to /usr/bin/python3.
var System = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives", "/nix/store", "/gnu/store", "/System", "/Library",
	"/opt/homebrew",
}

var (
	errOut    = errors.New("which leads out of the folder; allowed are links that stay inside, and those into the system's folders and [sandbox] read")
	errOthers = errors.New("which leads to what is not its own")
)

const maxHops = 40 // through links, as many as Linux follows

// follow goes where a link in a folder below the top leads, without leaving the top. One that leads nowhere or in a circle
// does no harm.
func (w *walker) follow(at, target string) error {
	todo := strings.Split(filepath.ToSlash(target), "/")
	for range maxHops {
		if filepath.IsAbs(target) {
			inside, err := w.rules.Links.absolute(w.top.Name(), target)
			if err != nil || inside == "" {
				return err
			}
			at, todo = ".", strings.Split(inside, "/")
		}
		if at, target, todo = w.step(at, todo); target == "" {
			break
		}
		if rest := strings.Join(todo, "/"); filepath.IsAbs(target) {
			target = filepath.Join(target, rest)
		} else {
			todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
		}
	}
	if at == ".." {
		return errOut
	}
	return nil
}

// step goes on to the next link on the way, and returns the folder that it is in, its target and what remains. Without a
// target the way ends at a path, which is ".." if it leads out.
func (w *walker) step(at string, todo []string) (end, target string, rest []string) {
	for i, name := range todo {
		switch next := path.Join(at, name); {
		case next == "..":
			return next, "", nil
		case name == "" || name == "." || name == "..":
			at = next
		default:
			target, err := w.top.Readlink(filepath.FromSlash(next))
			if err == nil {
				return at, target, todo[i+1:]
			}
			at = next // no link, or not there
		}
	}
	return at, "", nil
}

// absolute judges an absolute target. It returns the path of one in the folder itself, relative to it.
func (l Links) absolute(top, target string) (inside string, err error) {
	clean := filepath.Clean(target)
	for _, t := range []string{top, real(top)} {
		if rest, ok := below(t, clean); ok {
			return filepath.ToSlash(rest), nil
		}
	}
	for _, path := range []string{clean, real(clean)} {
		for _, never := range l.Never {
			if within(never, path) || within(real(never), path) {
				return "", errOthers
			}
		}
	}
	for _, into := range l.Into {
		if within(into, clean) || within(real(into), clean) {
			return "", nil
		}
	}
	return "", errOut
}

// real is where a path leads, or the path itself if it leads nowhere.
func real(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}

// below is a path relative to a folder that it is in, or is.
func below(folder, path string) (string, bool) {
	rest, err := filepath.Rel(folder, path)
	if err != nil || rest == ".." || strings.HasPrefix(rest, ".."+string(filepath.Separator)) {
		return "", false
	}
	return rest, true
}

func within(folder, path string) bool {
	_, ok := below(folder, path)
	return ok
}

// CheckRead says why a folder of tools cannot be one: it is not there, or is above or below what is to be kept apart.
func CheckRead(folder string, apart ...string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", folder)
	}
	for _, a := range apart {
		if within(real(folder), real(a)) || within(real(a), real(folder)) {
			return fmt.Errorf("%s and %s are not apart; a folder of tools holds nothing that is handed in, and no results", folder, a)
		}
	}
	return nil
}
