package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// binary is a program that Go has built.
type binary struct {
	os, arch  string
	goVersion string // such as "go1.26.1"
	modules   []module
}

// module is what a binary contains of others, by its path.
type module struct {
	path, version string
	sum           string // as in go.sum: "h1:" and a SHA-256 in base64
	licences      []licence
}

// contents reads what is in a binary, which was built of a package.
func contents(path, pkg string) (binary, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return binary{}, err
	}
	b := binary{goVersion: info.GoVersion, os: setting(info, "GOOS"), arch: setting(info, "GOARCH")}
	folders, err := folders(pkg, b.os, b.arch)
	if err != nil {
		return binary{}, err
	}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			return binary{}, fmt.Errorf("%s is replaced by %s, which a release may not", dep.Path, dep.Replace.Path)
		}
		found, ok := folders[dep.Path+"@"+dep.Version]
		if !ok {
			return binary{}, fmt.Errorf("it contains %s %s, but %s for %s/%s does not: was it built of this source?", dep.Path, dep.Version, pkg, b.os, b.arch)
		}
		m := module{path: dep.Path, version: dep.Version, sum: dep.Sum}
		if m.licences, err = licences(found.root, found.packages); err != nil {
			return binary{}, fmt.Errorf("%s %s: %w", m.path, m.version, err)
		}
		b.modules = append(b.modules, m)
	}
	return b, nil
}

func setting(info *debug.BuildInfo, key string) string {
	i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
	if i < 0 {
		return ""
	}
	return info.Settings[i].Value
}

// linked is a module on this machine: its folder, and those of its packages that are linked in.
type linked struct {
	root     string
	packages []string
}

// folders lists the modules that a package needs on a system, by path@version.
func folders(pkg, goos, goarch string) (map[string]linked, error) {
	list := exec.Command("go", "list", "-deps", "-json=Dir,Module", pkg)
	list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
		}
		return nil, fmt.Errorf("%s: %w", strings.Join(list.Args, " "), err)
	}
	all := map[string]linked{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		key := p.Module.Path + "@" + p.Module.Version
		m := all[key]
		m.root = p.Module.Dir
		m.packages = append(m.packages, filepath.Clean(p.Dir))
		all[key] = m
	}
}
