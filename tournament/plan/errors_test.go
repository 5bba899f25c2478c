package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every error says where it is, what was found and what is allowed.
func TestErrors(t *testing.T) {
	const (
		head = "game = \"jungle\"\nformat = \"round-robin\"\n"
		two  = "[[player]]\nname = \"a\"\nlevel = \"random\"\n[[player]]\nname = \"b\"\nlevel = \"random\"\n"
		bot  = "[[player]]\nname = \"c\"\ncommand = \"./bot\"\n"
	)
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "game = \"jungle\"\nformat = swiss\n", `x.toml:2:10: `},
		{"key twice", "game = \"jungle\"\ngame = \"jungle\"\n", `x.toml:2:1: `},
		{"not UTF-8", "game = \"\xff\"\n", `x.toml:1:9: `},
		{"empty", "", `x.toml: game is missing`},
		{"unknown game", "game = \"chess\"\n", `x.toml:1:1: game: game "chess": allowed are luzhanqi, jungle, gastank, quagmire, chess1d`},
		{"no format", "game = \"jungle\"\n" + two, `x.toml: format is missing`},
		{"unknown format", "game = \"jungle\"\nformat = \"Swiss\"\n" + two, `x.toml:2:1: format: format "Swiss": allowed are match, round-robin, gauntlet, swiss, knockout`},
		{"unknown key", head + "concurency = 2\n" + two, `x.toml:3:1: concurency: unknown key; allowed are name, game, rules, `},
		{"unknown key of a player", head + two + "  colour = 1\n", `x.toml:9:3: player.2.colour: unknown key; allowed are name, level, challenger, `},
		{"unknown table", head + two + "[limit]\nmove = \"1s\"\n", `x.toml:9:2: limit: unknown key; allowed are `},
		{"unknown key of limits", head + two + "[limits]\nmove = \"1s\"\ntime = 3\n", `x.toml:11:1: limits.time: unknown key; allowed are move, first, setup, start, grace, clock, max_plies`},
		{"number for text", "game = 3\n", `x.toml:1:1: game: found 3; allowed is a string`},
		{"text for number", head + "games = \"two\"\n" + two, `x.toml:3:1: games: found the string "two"; allowed is a whole number from 1 to 10000000`},
		{"fraction", head + "games = 2.5\n" + two, `x.toml:3:1: games: found 2.5; allowed is a whole number from 1 to 10000000`},
		{"too many games", head + "games = 10_000_002\n" + two, `x.toml:3:1: games: found 10000002; allowed is a whole number from 1 to 10000000`},
		{"odd games", head + "games = 3\n" + two, `x.toml:3:1: games: 3 games for each encounter: allowed are even numbers`},
		{"negative seed", head + "seed = -1\n" + two, `x.toml:3:1: seed: found -1; allowed is a whole number from 0`},
		{"concurrency", head + "concurrency = 1001\n" + two, `x.toml:3:1: concurrency: found 1001; allowed is a whole number from 0 to 1000`},
		{"nobody plays", head + "concurrency = 0\n" + two, `x.toml:3:1: concurrency: found 0: nobody would play`},
		{"pin", head + "pin = true\n" + two, `x.toml:3:1: pin: found true; allowed is one of the words auto, off, on`},
		{"pin word", head + "pin = \"always\"\n" + two, `x.toml:3:1: pin: found "always"; allowed are auto, off, on`},
		{"rules", head + "rules = \"traps=none\"\n" + two, `x.toml:3:1: rules: rule `},
		{"retries", head + "rules = \"illegal=retry:0\"\n" + two, `x.toml:3:1: rules: rule illegal=retry:0: allowed are lose, retry:N with N from 1 to 1000`},
		{"explain", head + "explain = true\nrecords = false\n" + two, `x.toml:3:1: explain: explanations are written into records, which are off`},
		{"duration as number", head + two + "[limits]\nmove = 100\n", `x.toml:10:1: limits.move: found 100; allowed is a duration such as "100ms", "2s" or "1m30s"`},
		{"duration", head + two + "[limits]\nmove = \"fast\"\n", `x.toml:10:1: limits.move: found "fast"; allowed is a duration`},
		{"too short", head + two + "[limits]\nmove = \"1us\"\n", `x.toml:10:1: limits.move: found 1µs; allowed are 1ms to 24h0m0s`},
		{"negative grace", head + two + "[limits]\ngrace = \"-1ms\"\n", `x.toml:10:1: limits.grace: found -1ms; allowed are 0s to 24h0m0s`},
		{"set-up in a game without", head + two + "[limits]\nsetup = \"1s\"\n", `x.toml:10:1: limits.setup: it has no effect: jungle has no set-ups`},
		{"start without effect", head + two + "[limits]\nstart = \"1s\"\n", `x.toml:10:1: limits.start: it has no effect: no player is a program that is started anew`},
		{"own start without effect", head + two + "limits = { start = \"1s\" }\n", `x.toml:9:12: player.2.limits.start: it has no effect`},
		{"caps are not for one player", head + two + "limits = { max_plies = 3 }\n", `x.toml:9:12: player.2.limits.max_plies: unknown key; allowed are move, first, setup, start, grace, clock`},
		{"size", head + two + bot + "confine = { memory = \"lots\" }\n", `x.toml:12:13: player.3.confine.memory: found "lots"; allowed is a number of bytes with a unit, such as "64MiB"`},
		{"size without unit", head + two + bot + "[confine]\nmemory = 512\n", `x.toml:13:1: confine.memory: found "512"; allowed is a number of bytes with a unit`},
		{"size too small", head + two + bot + "[confine]\nmemory = \"1kB\"\n", `x.toml:13:1: confine.memory: found 1000B; allowed are 0 for no limit and 1MiB to `},
		{"size of files", head + two + bot + "[confine]\nfiles = \"64MiB\"\n", `x.toml:13:1: confine.files: found the string "64MiB"; allowed is a whole number from 0`},
		{"confine without effect", head + two + "[confine]\nmemory = \"1GiB\"\n", `x.toml:9:2: confine: it has no effect: no player is a program`},
		{"private without folder", head + two + bot + "confine = { private = true }\n", `x.toml:9:3: player.3: its directory is private (a copy for each game), so dir must say which is copied`},
		{"nodes without effect", "nodes = 5\n" + head + strings.Repeat(bot, 1) + strings.Replace(bot, `"c"`, `"d"`, 1), `x.toml:1:1: nodes: it has no effect: no player has a level`},
		{"nodes of a program", head + two + bot + "nodes = 3\n", `x.toml:12:1: player.3.nodes: only a player with a level has it`},
		{"no players", head, `x.toml: player: found 0 players; allowed are 2 or more, each begun with [[player]]`},
		{"one table of players", head + "[player]\nname = \"a\"\n", `x.toml:3:2: player: found a table; allowed is one or more tables, each begun with [[player]]`},
		{"players that are none", head + "player = [1, 2]\n", `x.toml:3:1: player.1: found 1; allowed are one or more tables`},
		{"no name", head + two + "[[player]]\nlevel = \"random\"\n", `x.toml:9:3: player.3: name is missing`},
		{"same name", head + two + strings.Replace(bot, `"c"`, `"a"`, 1), `x.toml:10:1: player.3.name: player 1 is called "a" too; results could not be told apart`},
		{"empty name", head + two + strings.Replace(bot, `"c"`, `""`, 1), `x.toml:10:1: player.3.name: the name is empty`},
		{"blank in front", head + two + strings.Replace(bot, `"c"`, `" c"`, 1), `x.toml:10:1: player.3.name: the name " c" begins or ends with a blank`},
		{"control character", head + two + strings.Replace(bot, `"c"`, `"c\n"`, 1), `x.toml:10:1: player.3.name: found the control character '\n'; allowed is text`},
		{"invisible character", head + two + strings.Replace(bot, `"c"`, `"c\u200bd"`, 1), `x.toml:10:1: player.3.name: the name "c\u200bd" contains '\u200b'; allowed are printable characters`},
		{"long name", head + two + strings.Replace(bot, `"c"`, `"`+strings.Repeat("ä", 65)+`"`, 1), `x.toml:10:1: player.3.name: the name has 65 characters; allowed are 64`},
		{"neither", head + two + "[[player]]\nname = \"c\"\n", `x.toml:9:3: player.3: neither command nor level is there; allowed is one of them`},
		{"both", head + two + bot + "level = \"random\"\n", `x.toml:11:1: player.3.command: found a level too; allowed is one of command and level`},
		{"unknown level", head + two + "[[player]]\nname = \"c\"\nlevel = \"best\"\n", `x.toml:11:1: player.3.level: level "best" of jungle: allowed are `},
		{"level of another game", head + two + "[[player]]\nname = \"c\"\nlevel = \"rush\"\n", `x.toml:11:1: player.3.level: level "rush" of jungle: allowed are `},
		{"dialect of a level", head + two + "dialect = \"x\"\n", `x.toml:9:1: player.2.dialect: a player with a level is no program and has none`},
		{"unknown dialect", head + two + bot + "dialect = \"uci\"\n", `x.toml:12:1: player.3.dialect: dialect "uci" of jungle: allowed are `},
		{"one by one for a level", head + two + "[[player]]\nname = \"c\"\nlevel = \"random\"\none_by_one = true\n", `x.toml:12:1: player.3.one_by_one: a player with a level is no program and has none`},
		{"adapter of a dialect without", head + two + bot + "adapter = \"a.toml\"\n", `x.toml:12:1: player.3.adapter: found "a.toml": dialect `},
		{"shell", head + two + strings.Replace(bot, "./bot", "./bot | tee x", 1), `x.toml:11:1: player.3.command: command line "./bot | tee x"`},
		{"empty command", head + two + strings.Replace(bot, "./bot", "", 1), `x.toml:11:1: player.3.command: command line "": it names no program`},
		{"no words", head + two + strings.Replace(bot, `"./bot"`, "[]", 1), `x.toml:11:1: player.3.command: an array of words must begin with a program`},
		{"words that are none", head + two + strings.Replace(bot, `"./bot"`, `["./bot", 3]`, 1), `x.toml:11:1: player.3.command.2: found 3; allowed is a string`},
		{"variable", head + two + bot + "env = { \"A=B\" = \"c\" }\n", `x.toml:12:9: player.3.env.A=B: a name of a variable is not empty and has no '='`},
		{"variable that is no text", head + two + bot + "env = { A = 3 }\n", `x.toml:12:9: player.3.env.A: found 3; allowed is a string`},
		{"cycles of a match", "game = \"jungle\"\nformat = \"match\"\ncycles = 2\n" + two, `x.toml:3:1: cycles: a match has none; allowed with format [round-robin gauntlet]`},
		{"rounds of a round robin", head + "rounds = 2\n" + two, `x.toml:3:1: rounds: a round-robin has none; allowed with format [swiss]`},
		{"Swiss without rounds", "game = \"jungle\"\nformat = \"swiss\"\n" + two, `x.toml: rounds is missing`},
		{"too many rounds", "game = \"jungle\"\nformat = \"swiss\"\nrounds = 2\n" + two, `x.toml:3:1: rounds: 2 rounds of 2 players: they would meet again after 1`},
		{"match of three", "game = \"jungle\"\nformat = \"match\"\n" + two + bot, `x.toml:2:1: format: 3 players: a match has 2`},
		{"gauntlet without a challenger", "game = \"jungle\"\nformat = \"gauntlet\"\n" + two, `x.toml:2:1: format: no challenger: a gauntlet has one or more`},
		{"challenger without a gauntlet", head + two + "challenger = true\n", `x.toml:9:1: player.2.challenger: a round-robin has no challengers; only a gauntlet has`},
		{"test of many", head + two + bot + "[sprt]\nelo0 = 0\nelo1 = 10\n", `x.toml:12:2: sprt: it compares two players, and found 3; allowed is a match`},
		{"test without hypotheses", "game = \"jungle\"\nformat = \"match\"\n" + two + "[sprt]\nelo0 = 0\n", `x.toml:9:2: sprt: elo1 is missing`},
		{"test of the same", "game = \"jungle\"\nformat = \"match\"\n" + two + "[sprt]\nelo0 = 5\nelo1 = 5.0\n", `x.toml:9:2: sprt: `},
		{"test beyond reason", "game = \"jungle\"\nformat = \"match\"\n" + two + "[sprt]\nelo0 = 0\nelo1 = nan\n", `x.toml:11:1: sprt.elo1: found NaN; allowed is a number from -1000 to 1000`},
		{"queue twice", head + two + "[queue]\nurl = \"nats://h\"\nlisten = \"127.0.0.1:1\"\n", `x.toml:11:1: queue.listen: found a url too`},
		{"queue url", head + two + "[queue]\nurl = \"http://h\"\n", `x.toml:10:1: queue.url: found "http://h"; allowed are servers such as nats://host:4222`},
		{"queue address", head + two + "[queue]\nlisten = \"4222\"\n", `x.toml:10:1: queue.listen: found "4222"; allowed is host:port`},
		{"two tokens", head + two + "[queue]\nlisten = \":4222\"\ntoken = \"x\"\ntoken_file = \"y\"\n", `x.toml:12:1: queue.token_file: found a token too`},
		{"replicas of one server", head + two + "[queue]\nreplicas = 3\n", `x.toml:10:1: queue.replicas: it has no effect without the url of a cluster`},
		{"even replicas", head + two + "[queue]\nurl = \"nats://h\"\nreplicas = 2\n", `x.toml:11:1: queue.replicas: found 2; allowed are 1, 3 and 5`},
		{"token for nobody", head + two + "[queue]\ntoken = \"x\"\n", `x.toml:10:1: queue.token: it has no effect without url or listen`},
		{"token file for nobody", head + two + "[queue]\ntoken_file = \"x\"\n", `x.toml:10:1: queue.token_file: it has no effect without url or listen`},
		{"date", head + "seed = 2026-01-01\n" + two, `x.toml:3:1: seed: found the date or time 2026-01-01; allowed is a whole number`},
	} {
		_, err := Parse("x.toml", []byte(c.text))
		if err == nil {
			t.Errorf("%s: no error, want %s", c.name, c.want)
		} else if !strings.Contains("\n"+err.Error(), "\n"+c.want) {
			t.Errorf("%s:\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}

// All errors of a file are told at once, in its order, and nothing else is.
func TestAllErrorsAreTold(t *testing.T) {
	_, err := Parse("ä/x.toml", []byte(`game = "luzhanqi"
format = "swiss"
rounds = "many"
[[player]]
name = "ä"; # a semicolon
`))
	if err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.HasPrefix(err.Error(), "ä/x.toml:5:11: ") {
		t.Errorf("%v", err)
	}
	_, err = Parse("x.toml", []byte(`game = "luzhanqi"
format = "swiss"
rounds = "many"
[[player]]
name = "a"
level = "randon"
env = { "ä" = "", "ü" = 3 }
[[player]]
command = "./b"
dialect = "xy"
size = 3
`))
	want := []string{
		`x.toml:3:1: rounds: found the string "many"; allowed is a whole number from 1 to 1000`,
		`x.toml:6:1: player.1.level: level "randon" of luzhanqi: allowed are random, greedy-slip80, `,
		`x.toml:7:1: player.1.env: a player with a level is no program and has none`,
		`x.toml:7:19: player.1.env.ü: found 3; allowed is a string`,
		`x.toml:8:3: player.2: name is missing`,
		`x.toml:10:1: player.2.dialect: dialect "xy" of luzhanqi: allowed are `,
	}
	got := strings.Split(err.Error(), "\n")
	want = append(want, `x.toml:11:1: player.2.size: unknown key; allowed are name, level, challenger, command, `)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("error %d of\n%v\nwant\n%s", i+1, err, strings.Join(want, "\n"))
		}
	}
}

// Programs and folders that are missing are found before the first game, with the place in the file.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "x.toml")
	text := "game = \"jungle\"\nformat = \"round-robin\"\n"
	for _, p := range []string{"command = \"./bot\"", "command = \"sh\"\ndir = \"none\"", "command = \"sh\"\ndir = \"file\"", "level = \"random\""} {
		text += "[[player]]\nname = \"" + p[len(p)-5:len(p)-1] + "\"\n" + p + "\n"
	}
	p, err := Parse(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	err = p.Check()
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{
		`x.toml:5:1: player.1.command: /bot: program "./bot" not found`,
		`x.toml:9:1: player.2.dir: none: folder `,
		`x.toml:13:1: player.3.dir: file: `,
	} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("error %d of\n%v\nwant one with %s", i, err, want)
		}
	}
	if len(lines) != 3 {
		t.Errorf("%v", err)
	}
}

// An adapter is found beside the file, wherever the reader is.
func TestAdapterIsFoundBesideTheFile(t *testing.T) {
	dir := t.TempDir()
	text := []byte("game = \"gastank\"\nformat = \"match\"\n[[player]]\nname = \"a\"\nlevel = \"random\"\n" +
		"[[player]]\nname = \"b\"\ncommand = \"./b\"\ndialect = \"terminal\"\nadapter = \"b.toml\"\n")
	file, adapter := filepath.Join(dir, "x.toml"), filepath.Join(dir, "b.toml")
	refused := func(want string) {
		t.Helper()
		_, err := Parse(file, text)
		if err == nil || !strings.Contains(err.Error(), `x.toml:10:1: player.2.adapter: `+want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	refused(`"b.toml" is neither a file nor a built-in adapter of dialect console: allowed are `)
	must(os.Mkdir(adapter, 0o777))
	refused("b.toml: it is no regular file")
	must(os.Remove(adapter))
	must(os.WriteFile(adapter, nil, 0o666))
	refused("b.toml: the file is empty")
	must(os.WriteFile(adapter, make([]byte, 64<<10+1), 0o666))
	refused("b.toml: longer than 65536 bytes")
	must(os.WriteFile(adapter, []byte("colour = 1\n"), 0o666))
	refused("b.toml: ")
	found, err := filepath.Glob("../../game/gastank/console/adapters/*.toml")
	must(err)
	good, err := os.ReadFile(found[0])
	must(err)
	must(os.WriteFile(adapter, good, 0o666))
	p, err := Parse(file, text)
	must(err)
	if got := p.Players[1].Adapter; got.Name != "b.toml" || got.Text != string(good) {
		t.Errorf("%+v", got)
	}
	before := p.Fingerprint()
	must(os.WriteFile(adapter, append(good, "# changed\n"...), 0o666))
	p, err = Parse(file, text)
	must(err)
	if p.Fingerprint() == before {
		t.Error("the adapter has changed, and the fingerprint has not")
	}
}
