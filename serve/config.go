// Package serve is the daemon: it shows games while they are played and records of games that were, and lets people
// play in the browser.
//
// [New] makes a [Server] of a [Config], [Server.Run] serves until its context ends, and then drains: no new game begins,
// games that are being played have [Config.Drain] to end, and whoever watches is told. Its parts are the folders below:
// film (a game as its audience may see it), page (the pages), live (games that are being played).
//
// Nobody can name a program over the network: what is played by programs stands in the configuration.
package serve

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/pelletier/go-toml/v2"

	"luzhanqi/game/games"
	"luzhanqi/player/levels"
)

// Config says what is served. docs/serve.md explains its file.
type Config struct {
	Listen    string   `toml:"listen"`    // of pages
	Operators string   `toml:"operators"` // of health, metrics and profiles; empty: the first two with the pages, profiles nowhere
	Records   []string `toml:"records"`   // folders
	Keep      string   `toml:"keep"`      // the folder for records of games that are played here; empty: none are kept
	Drain     Duration `toml:"drain"`     // how long games may go on after the end was asked for
	Games     int      `toml:"games"`     // how many games people may play at a time
	Watchers  int      `toml:"watchers"`  // how many may follow games at a time
	Tables    []Table  `toml:"table"`
}

// Table is where one game after another is played for who watches.
type Table struct {
	Name    string    `toml:"name"`
	Game    string    `toml:"game"`
	Players [2]string `toml:"players"` // builtin:LEVEL
	Pace    Duration  `toml:"pace"`    // the least time from one move to the next
	Always  bool      `toml:"always"`  // it is played when nobody watches, too
}

// Duration is a time in the form of Go, such as 1m30s.
type Duration time.Duration

func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil || parsed < 0 {
		return fmt.Errorf("time %q: allowed are forms such as 300ms, 10s and 1m30s", text)
	}
	*d = Duration(parsed)
	return nil
}

// Default is what is served without a configuration: this machine alone, the records of the current folder, and a table
// that is worth watching.
func Default() Config {
	return Config{
		Listen: "127.0.0.1:8057", Records: []string{"."}, Drain: Duration(10 * time.Second), Games: 20, Watchers: 2000,
		Tables: []Table{{Name: "show", Game: games.All[0].Name(), Players: [2]string{"builtin:easy", "builtin:greedy"}, Pace: Duration(time.Second)}},
	}
}

// Load reads a configuration; what it does not name is as in [Default], but for records and tables: those are its own.
func Load(file string) (Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Config{}, err
	}
	c := Default()
	c.Records, c.Tables = nil, nil
	strict := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := strict.Decode(&c); err != nil {
		if unknown, ok := err.(*toml.StrictMissingError); ok {
			return Config{}, fmt.Errorf("%s: unknown key:\n%s", file, unknown.String())
		}
		return Config{}, fmt.Errorf("%s: %w", file, err)
	}
	if err := c.Check(); err != nil {
		return Config{}, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// Check says what is wrong with a configuration.
func (c *Config) Check() error {
	for key, address := range map[string]string{"listen": c.Listen, "operators": c.Operators} {
		if address == "" && key == "operators" {
			continue
		}
		if err := local(address); err != nil {
			return fmt.Errorf("%s = %q: %w", key, address, err)
		}
	}
	if c.Games < 0 || c.Watchers < 1 {
		return fmt.Errorf("games = %d, watchers = %d: allowed are whole numbers from 0, and from 1", c.Games, c.Watchers)
	}
	names := map[string]bool{}
	for i := range c.Tables {
		t := &c.Tables[i]
		if t.Name == "" || names[t.Name] || !plain(t.Name) {
			return fmt.Errorf("table %d has the name %q: each needs a name of its own, of letters, digits and hyphens", i+1, t.Name)
		}
		names[t.Name] = true
		if _, err := t.entrants(); err != nil {
			return fmt.Errorf("table %q: %w", t.Name, err)
		}
	}
	return nil
}

// local says whether an address can be reached from this machine alone: pages are not yet guarded well enough for others.
func local(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%w; allowed are forms such as 127.0.0.1:8057", err)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("others could reach it: allowed are 127.0.0.1, [::1] and localhost; put a proxy in front that knows who may come")
}

// plain says whether a name can stand in an address as it is.
func plain(name string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return len(name) <= 60
}

// levelNames are the levels that people can play against, the weakest first.
func levelNames(gameName string) (names []string) {
	g, err := games.Find(gameName)
	if err != nil {
		return nil
	}
	for _, l := range levels.Of(g) {
		names = append(names, l.Name)
	}
	return names
}
