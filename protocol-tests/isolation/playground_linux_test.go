package isolation

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"luzhanqi/check/attack"
)

// A playground is a directory with all that attacks reach for: a stage of package attack, and around it
//
//	players/hostile, victim, scene.json  the programs, and what attackers are told
//	records, store, tmp, home, cwd       the referee's; tmp is its TMPDIR and must be empty after it
//	victim/                              somebody else's files, of the same user
type playground struct {
	*attack.Stage
	dir    string
	uid    int
	before []string // what was in the usual directories
}

func newPlayground(t *testing.T, uid int) *playground {
	t.Helper()
	dir, err := os.MkdirTemp("", "luzhanqi-attacked-")
	if err != nil {
		t.Fatal(err)
	}
	p := &playground{dir: dir, uid: uid}
	t.Cleanup(p.remove)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	p.Stage, err = attack.SetUp(dir)
	must(err)
	t.Cleanup(p.Clear)
	p.Ring, p.Outlive = "luzhanqi-"+p.Mark, p.Mark
	p.Hidden = append(p.besides(), p.path("records"))
	must(os.Chmod(dir, 0o755))
	for _, sub := range []string{"players", "records", "store", "tmp", "home", "cwd", "victim"} {
		must(os.Mkdir(p.path(sub), 0o755))
	}
	program, err := os.ReadFile(hostile)
	must(err)
	for _, name := range []string{"hostile", "victim"} {
		must(os.WriteFile(p.path("players", name), program, 0o755))
	}
	must(errors.Join(os.Mkdir(p.path("cwd", "kept"), 0o755), os.MkdirAll(p.path("cwd", "other", "cup"), 0o755)))
	must(os.WriteFile(p.path("cwd", "kept", "cup.token"), []byte(attack.Secret(p.Mark)), 0o600))
	must(os.WriteFile(p.path("cwd", "other", "cup", "results.sqlite"), []byte(attack.Secret(p.Mark)), 0o644))
	must(os.WriteFile(p.path("victim", "file"), []byte("mine\n"), 0o644))
	must(os.WriteFile(p.path("home", "file"), []byte("mine\n"), 0o644))
	must(filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == dir || os.Getuid() != 0 {
			return err
		}
		return os.Chown(path, uid, uid)
	}))
	if p.Roots != "" {
		must(os.Chown(p.Roots, 0, 0))
		must(os.Chown(p.SetUID, 0, 0))
		must(os.Chmod(p.SetUID, 0o4755))
	}
	p.before = p.marked()
	return p
}

// besides is what is always hidden in the folder where the command is started: the files that it writes as its output, and the token and
// the store of another run.
func (p *playground) besides() []string {
	return []string{p.path("cwd", outputFile), p.path("cwd", errorFile), p.path("cwd", "kept", "cup.token"), p.path("cwd", "other", "cup")}
}

// tell writes what attackers are told into the folder of their program.
func (p *playground) tell(t *testing.T, dir string) {
	t.Helper()
	text, err := json.Marshal(struct {
		attack.Scene
		Dir string
	}{p.Scene, p.dir})
	file := filepath.Join(dir, "scene.json")
	if err == nil {
		err = os.WriteFile(file, text, 0o644)
	}
	if err == nil && os.Getuid() == 0 {
		err = os.Chown(file, p.uid, p.uid)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (p *playground) path(elements ...string) string {
	return filepath.Join(append([]string{p.dir}, elements...)...)
}

// remove opens what an attack has closed.
func (p *playground) remove() {
	for range 2 {
		filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, _ error) error {
			if e != nil && e.IsDir() {
				os.Chmod(path, 0o755)
			}
			return nil
		})
	}
	os.RemoveAll(p.dir)
}

// image is the whole directory but for what the referee itself writes: a line for each file, of all that an attack could
// change.
func (p *playground) image(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(p.dir, path)
		if name == "out" { // of a grader, as deep as it likes
			return filepath.SkipDir
		}
		if err != nil || strings.Count(name, "/") > 6 {
			fmt.Fprintf(&all, "%.200q: cannot be seen: %.200v\n", name, err)
			return filepath.SkipDir
		}
		if strings.HasPrefix(name, "records"+string(filepath.Separator)) && strings.HasSuffix(name, ".jsonl") {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		stat := info.Sys().(*syscall.Stat_t)
		sum := ""
		if e.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum = fmt.Sprintf("%x", sha256.Sum256(text))[:16]
		}
		attributes := make([]byte, 4096)
		n, _ := unix.Llistxattr(path, attributes)
		links := stat.Nlink
		if e.IsDir() {
			links = 0
		}
		fmt.Fprintf(&all, "%q %v %s%s%v %d:%d links %d %q\n", name, info.Mode().Type(), sum, marks, info.Mode(), stat.Uid, stat.Gid, links,
			attributes[:max(n, 0)])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// marks is before what is marked on a file: modes, owner, links, attributes.
const marks = " marked "

// unmarked are the lines of an image without the marks.
func unmarked(lines []string) (contents []string) {
	for _, l := range lines {
		content, _, _ := strings.Cut(l, marks)
		contents = append(contents, content)
	}
	return contents
}

// changed are the lines in which two images differ.
func changed(before, after string, of func([]string) []string) (lines []string) {
	was, is := of(strings.Split(before, "\n")), of(strings.Split(after, "\n"))
	for _, l := range was {
		if !slices.Contains(is, l) {
			lines = append(lines, "- "+l)
		}
	}
	for _, l := range is {
		if !slices.Contains(was, l) {
			lines = append(lines, "+ "+l)
		}
	}
	return lines
}

// leftovers are what an attack has left outside of every process: in the kernel, mounted, in the usual directories. They
// are removed, so that the next test has its own.
func (p *playground) leftovers() (left []string) {
	left = slices.Collect(maps.Values(p.Left()))
	for _, path := range p.marked() {
		if !slices.Contains(p.before, path) {
			left = append(left, path)
			os.RemoveAll(path)
		}
	}
	if entries, _ := os.ReadDir(p.path("tmp")); len(entries) > 0 {
		left = append(left, fmt.Sprintf("in TMPDIR: %v", entries))
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, p.dir) {
			left = append(left, "mounted: "+line)
		}
	}
	return left
}

// marked are the files in the usual directories, and the control groups, that are named after this playground.
func (p *playground) marked() (paths []string) {
	for _, dir := range []string{"/dev/shm", "/tmp", "/var/tmp", "/run", "/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
		names, _ := filepath.Glob(filepath.Join(dir, "*"+p.Mark+"*"))
		paths = append(paths, names...)
	}
	return paths
}
