package console

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"luzhanqi/text"
)

//go:embed adapters/*.toml
var adapterFiles embed.FS

// names are the built-in adapters, the default first.
var names = []string{"default", "convertible", "hatchback", "pickup"}

// builtIn are the built-in adapters in the order of their names; each is compiled when it is first used.
var builtIn = func() (all []func() *Adapter) {
	for _, name := range names {
		all = append(all, sync.OnceValue(func() *Adapter {
			text, err := builtInText(name)
			if err != nil {
				panic(err) // the file is part of the program
			}
			a, err := ReadAdapter(text)
			if err != nil {
				panic(fmt.Sprintf("%s: %v", name, err)) // so is what stands in it
			}
			return a
		}))
	}
	return all
}()

func builtInText(name string) ([]byte, error) {
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("%s: allowed are %s", text.Quote(name, 40), strings.Join(names, ", "))
	}
	return adapterFiles.ReadFile("adapters/" + name + ".toml")
}

// BuiltIn returns the built-in adapter of that name.
func BuiltIn(name string) (*Adapter, error) {
	at := slices.Index(names, name)
	if at < 0 {
		return nil, fmt.Errorf("adapter %s: allowed are %s, or a TOML file", text.Quote(name, 40), strings.Join(names, ", "))
	}
	return builtIn[at](), nil
}
