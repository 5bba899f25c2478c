package courses

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"luzhanqi/grading"
)

// PublicPage is the page of the class with numbers, which all students of a course may see.
const PublicPage = "class/public.html"

// ErrNotYours is that somebody asks for what is another's.
var ErrNotYours = errors.New("this is for who has handed it in, and for teachers")

// maxResult bounds a file of results: a record of a game, a page.
const maxResult = 64 << 20

// Result is a file of the results, by its path with slashes, which a student may read, or a teacher, who is nobody.
func (s *Served) Result(student, file string) ([]byte, error) {
	if file == "" || path.Clean(file) != file || strings.Contains(file, "\\") || grading.Private(file) {
		return nil, fs.ErrNotExist
	}
	if student != "" && file != PublicPage {
		if mine, err := s.owns(student, strings.SplitN(file, "/", 2)[0]); err != nil || !mine {
			return nil, errors.Join(ErrNotYours, err)
		}
	}
	root, err := os.OpenRoot(s.Out)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	found, err := root.Open(filepath.FromSlash(file))
	if err != nil {
		return nil, fs.ErrNotExist
	}
	defer found.Close()
	if info, err := found.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	return io.ReadAll(io.LimitReader(found, maxResult))
}

// owns says whether a folder has results of a student.
func (s *Served) owns(student, folder string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	handed, err := grading.HandedIn(s.now())
	for _, h := range handed {
		if h.Folder == folder && h.Base == student {
			return true, nil
		}
	}
	return false, err
}
