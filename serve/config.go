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
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/pelletier/go-toml/v2"

	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/tournament/plan/strict"
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
	Seats     int      `toml:"seats"`     // how many programs from elsewhere may play or wait at a time
	Plain     string   `toml:"plain"`     // tcp:// or unix://, where programs join without HTTP; empty: nowhere
	Tables    []Table  `toml:"table"`

	Tournaments []Tournament `toml:"tournament"`
	Courses     []Course     `toml:"course"`

	Tokens      []Token  `toml:"token"`       // who may come; none: everybody at this machine, who may do everything
	Names       []string `toml:"names"`       // by which the server is known, besides localhost
	Certificate string   `toml:"certificate"` // and
	Key         string   `toml:"key"`         // the files of TLS; empty: none
	Proxies     []string `toml:"proxies"`     // addresses of those who pass requests on, and are believed whose they are
	Rate        float64  `toml:"rate"`        // requests a second of one address
	Connections int      `toml:"connections"` // of one address at a time
}

// Table is where one game after another is played for who watches.
type Table struct {
	Name    string    `toml:"name"`
	Game    string    `toml:"game"`
	Players [2]string `toml:"players"` // builtin:LEVEL, or remote: programs from elsewhere
	Pace    Duration  `toml:"pace"`    // the least time from one move to the next
	Always  bool      `toml:"always"`  // it is played when nobody watches, too
	Games   int       `toml:"games"`   // with programs from elsewhere: at a time
	Time    Duration  `toml:"time"`    // with programs from elsewhere: of a move; zero: as the game has it
	Grace   Duration  `toml:"grace"`   // for their connections to be broken
	Dialect string    `toml:"dialect"` // which they speak; empty: the game's first dialogue
}

// Duration is a time in the form of Go, such as 1m30s.
type Duration time.Duration

// Size is a number of bytes with its unit, such as 8MiB.
type Size int64

func (s *Size) UnmarshalText(text []byte) error {
	parsed, err := strict.ParseSize(string(text))
	*s = Size(parsed)
	return err
}

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
		Listen: "127.0.0.1:8057", Records: []string{"."}, Drain: Duration(10 * time.Second), Games: 20, Watchers: 2000, Seats: 100, Rate: 1000, Connections: 1500,
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
		err := local(address)
		if errors.Is(err, errOthers) && key == "listen" {
			err = c.opened()
		}
		if err != nil {
			return fmt.Errorf("%s = %q: %w", key, address, err)
		}
	}
	if len(c.Tokens) == 0 && len(c.Names)+len(c.Proxies) > 0 {
		return fmt.Errorf("names = %q, proxies = %q: others come by them, and may do everything without tokens: allowed are both with tokens, or neither", c.Names, c.Proxies)
	}
	if c.Games < 0 || c.Watchers < 1 || c.Seats < 0 {
		return fmt.Errorf("games = %d, seats = %d, watchers = %d: allowed are whole numbers from 0, and from 1 for watchers", c.Games, c.Seats, c.Watchers)
	}
	if (c.Certificate == "") != (c.Key == "") || c.Rate <= 0 {
		return fmt.Errorf("certificate = %q, key = %q, rate = %v: allowed are both files or none, and numbers above 0", c.Certificate, c.Key, c.Rate)
	}
	if c.Connections < 1 {
		return fmt.Errorf("connections = %d: allowed are whole numbers from 1", c.Connections)
	}
	for _, p := range c.Proxies {
		if a, err := netip.ParseAddr(p); err != nil || a.String() != p {
			return fmt.Errorf("proxies: %q: allowed are addresses such as 10.0.0.1", p)
		}
	}
	if err := checkTokens(c.Tokens); err != nil {
		return err
	}
	if err := checkTournaments(c.Tournaments); err != nil {
		return err
	}
	if err := checkCourses(c.Courses, c.Tokens); err != nil {
		return err
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
		if !t.remotes() {
			continue
		}
		if _, err := t.dialogue(); err != nil {
			return fmt.Errorf("table %q: %w", t.Name, err)
		}
		if t.Grace == 0 {
			t.Grace = Duration(10 * time.Second)
		}
	}
	return nil
}

var errOthers = errors.New("others could reach it: allowed are 127.0.0.1, [::1] and localhost")

// local says whether an address can be reached from this machine alone.
func local(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%w; allowed are forms such as 127.0.0.1:8057", err)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return errOthers
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
