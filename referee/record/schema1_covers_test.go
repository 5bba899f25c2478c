package record_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// TestSchema1Covers: what the records are records of. A code counts for the player at fault, or, if nobody
// is, for both.
func TestSchema1Covers(t *testing.T) {
	t.Parallel()
	codes := map[string]map[string]bool{}
	reasons := map[string]map[string]bool{}
	pairs := map[string]map[string]bool{}
	note := func(in map[string]map[string]bool, key, value string) {
		if in[key] == nil {
			in[key] = map[string]bool{}
		}
		in[key][value] = true
	}
	members := map[string]bool{}
	for _, old := range schema1(t) {
		r, err := old.read()
		if err != nil {
			t.Fatalf("%s: %v", old.name, err)
		}
		h := r.Header
		note(pairs, h.Game, who(h.Players[0])+"/"+who(h.Players[1]))
		for side, p := range h.Players {
			switch end := r.Ending; {
			case end == nil:
				note(codes, h.Game+" "+who(p), "torn")
			case end.Fault == nil || *end.Fault == game.Side(side):
				note(codes, h.Game+" "+who(p), string(end.Code))
			}
		}
		if end := r.Ending; end != nil && (end.Code == referee.Won || end.Code == referee.Drawn) {
			_, reason, _ := strings.Cut(strings.ReplaceAll(end.Reason, " won: ", ": "), ": ")
			note(reasons, h.Game, strings.TrimRight(strings.TrimSuffix(reason, " plies reached"), " 0123456789"))
		}
		for _, line := range old.lines {
			var v any
			if json.Unmarshal(line, &v) == nil {
				name(members, "", v)
			}
		}
		for rule := range strings.SplitSeq(h.Rules, ",") {
			members["rules="+rule] = true
		}
	}
	for what, found := range map[string]map[string]map[string]bool{"codes": codes, "reasons": reasons, "players": pairs} {
		got := map[string]string{}
		for key, values := range found {
			got[key] = strings.Join(slices.Sorted(maps.Keys(values)), ", ")
		}
		if diff := cmp.Diff(schema1Covered[what], got); diff != "" {
			t.Errorf("%s:\n%s", what, diff)
		}
	}
	if diff := cmp.Diff(strings.Fields(schema1Members), slices.Sorted(maps.Keys(members))); diff != "" {
		t.Errorf("members:\n%s", diff)
	}
}

// name collects the paths of all members of a JSON value, and the values of those that are words of the format.
func name(all map[string]bool, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			name(all, strings.TrimPrefix(path+"."+key, "."), value)
		}
	case []any:
		for _, value := range v {
			name(all, path, value)
		}
	case string:
		switch path {
		case "event", "heard", "players.adapter.name":
			path += "=" + v
		}
		all[path] = true
	default:
		all[path] = true
	}
}

// schema1Covered says which codes each way of playing has, by which rules each game ended, and who played whom.
var schema1Covered = map[string]map[string]string{
	"codes": {
		"chess1d anew":     "closed-output, crashed, drawn, flooded, illegal-move, illegal-setup, timeout, torn, unreadable, void, won",
		"chess1d level":    "drawn, void",
		"chess1d person":   "resigned",
		"gastank level":    "drawn, void, won",
		"gastank person":   "resigned",
		"gastank plain":    "closed-output, crashed, drawn, flooded, illegal-move, resigned, timeout, unreadable, void, won",
		"gastank terminal": "closed-output, crashed, drawn, flooded, illegal-move, timeout, unreadable, void, won",
		"jungle level":     "drawn, void, won",
		"jungle lines":     "closed-output, crashed, drawn, flooded, illegal-move, timeout, torn, unreadable, void, won",
		"jungle person":    "resigned",
		"luzhanqi 4500":    "closed-output, crashed, drawn, flooded, illegal-move, illegal-setup, resigned, timeout, unreadable, void, won",
		"luzhanqi 5500":    "closed-output, crashed, drawn, flooded, illegal-move, illegal-setup, resigned, timeout, unreadable, void, won",
		"luzhanqi level":   "drawn, torn, void, won",
		"luzhanqi person":  "resigned, torn, void",
		"quagmire level":   "drawn, void, won",
		"quagmire person":  "resigned, won",
		"quagmire plain":   "closed-output, crashed, drawn, flooded, illegal-move, resigned, timeout, unreadable, void, won",
	},
	"reasons": {
		"chess1d":  "cap of, no legal moves, repetition, royal piece captured",
		"gastank":  "cap of, king captured, no legal moves",
		"jungle":   "cap of, den entered, no legal moves",
		"luzhanqi": "cap of, flag captured, no legal moves, repetition",
		"quagmire": "cap of, opponent left a piece in Quagmire",
	},
	"players": {
		"chess1d":  "anew/anew, anew/level, level/level, level/person, person/level",
		"gastank":  "level/level, level/person, person/level, plain/level, plain/plain, plain/terminal, terminal/level, terminal/plain, terminal/terminal",
		"jungle":   "level/level, lines/level, lines/lines, person/level",
		"luzhanqi": "4500/4500, 4500/5500, 4500/level, 5500/4500, 5500/5500, 5500/level, level/5500, level/level, level/person, person/level",
		"quagmire": "level/level, person/level, person/person, plain/level, plain/plain",
	},
}

// schema1Members are all members that occur, with their values where these are words of the format.
const schema1Members = `
arguments attempt base64 comment concurrency drawn end.code end.exit end.exit_code end.fault end.last_lines
end.plies end.reason end.signal end.stderr_bytes end.stderr_tail end.winner event=end event=header
event=illegal event=move event=received event=sent event=setup explanation.belief.odds.1
explanation.belief.odds.2 explanation.belief.odds.3 explanation.belief.odds.4 explanation.belief.odds.5
explanation.belief.odds.6 explanation.belief.odds.7 explanation.belief.odds.8 explanation.belief.odds.9
explanation.belief.odds.B explanation.belief.odds.F explanation.belief.odds.L explanation.belief.square
explanation.candidates.error explanation.candidates.move explanation.candidates.value
explanation.candidates.visits explanation.depth explanation.forced explanation.line explanation.move
explanation.nodes explanation.possible explanation.score explanation.time_ns explanation.worlds game heard=cut
heard=end heard=last heard=pause illegal_retries limits.first_ms limits.grace_ms limits.max_plies
limits.move_ms limits.setup_ms limits.start_ms move number players.adapter.name=arguments
players.adapter.name=codes.toml players.adapter.name=convertible players.adapter.name=default
players.adapter.name=hatchback players.adapter.name=own.toml players.adapter.name=pickup players.adapter.text
players.command players.level players.limits.grace_ms players.limits.max_plies players.limits.move_ms
players.limits.setup_ms players.name players.nodes players.person players.protocol ply rules rules=
rules=mines=stay rules=mines=trade rules=nomoves=draw rules=nomoves=loss rules=rules=referee
rules=rules=statement schema seed setup side started t_ms text took_ms version why
`
