package referee

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
)

// Replay is a record read again and judged again, without the programs.
type Replay struct {
	Header    Header
	Positions []game.Position // before the first move, and after each
	Moves     []Line          // the move that led to Positions[i+1]
	SetUps    [2]game.SetUp
	Ending    *Ending // as recorded; nil: the record ends before the game did
	// Torn says that the last line of the file is not whole: the referee or the machine died.
	Torn bool
	// Disagreements are all places where the record and the rules differ. None: they agree.
	Disagreements []string
}

// maxLine bounds a line of a record: the longest, a flooded answer in base64, takes 90 KB.
const maxLine = 1 << 20

// ReadRecord reads and judges a record. find looks up the record's game. An error means that it
// cannot be judged at all; disagreements with the rules are found in the Replay.
func ReadRecord(r io.Reader, find func(name string) (game.Game, error)) (*Replay, error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	text, torn, err := readLine(lines)
	if err == io.EOF {
		return nil, errors.New("the file is empty, not a record")
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	j := judge{Replay: &Replay{}}
	if err := json.Unmarshal(text, &j.Header); err != nil || torn || j.Header.Event != "header" {
		return nil, errors.New("line 1 is not the header of a record")
	}
	if j.Header.Schema != Schema {
		return nil, fmt.Errorf("the record has schema %d; this program reads schema %d", j.Header.Schema, Schema)
	}
	if j.game, err = find(j.Header.Game); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	if j.rules, err = game.ParseRules(j.Header.Rules, j.game.Options()); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	j.converse()
	for number := 2; ; number++ {
		text, torn, err := readLine(lines)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if torn {
			j.Torn = true
			break
		}
		var line Line
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, fmt.Errorf("line %d is not a line of a record: %w", number, err)
		}
		j.line = number
		j.take(line)
	}
	if j.Ending == nil {
		j.Torn = true
	}
	j.finish()
	return j.Replay, nil
}

// readLine returns the next line without its newline; torn says that it had none.
func readLine(r *bufio.Reader) (text []byte, torn bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > maxLine:
			return nil, false, fmt.Errorf("longer than %d bytes", maxLine)
		case err == nil:
			return bytes.TrimSuffix(text, []byte("\n")), false, nil
		case err == io.EOF && len(text) > 0:
			return text, true, nil
		case err != bufio.ErrBufferFull:
			return nil, false, err
		}
	}
}

// starved is how much later than it came a move may have been read, and still be accepted: what has
// arrived when the referee notices that the time is over counts.
const starved = time.Second

// judge plays a record through the rules, and through both programs' conversations: whatever the
// referee sent must be what it had to send.
type judge struct {
	*Replay
	game    game.Game
	rules   game.Rules
	line    int
	pos     game.Position
	given   [2]bool
	ends    [2]game.RefereeEnd // nil: a player of ours, which has no conversation
	due     [2][][]byte        // what had to be sent, and was not yet found
	heard   [2][]heard         // what was sent, and is not yet explained
	unread  [2][]byte          // what the program sent and no answer used
	illegal bool               // the last answer was an illegal move
	refused int                // in this turn
}

type heard struct {
	line int
	text []byte
}

func (j *judge) disagree(format string, args ...any) {
	j.Disagreements = append(j.Disagreements, fmt.Sprintf("line %d: ", j.line)+fmt.Sprintf(format, args...))
}

// converse starts the conversations.
func (j *judge) converse() {
	for side, p := range j.Header.Players {
		if p.Protocol == "" {
			continue
		}
		for _, known := range j.game.Protocols() {
			if known.Name() == p.Protocol {
				j.ends[side] = known.RefereeEnd(game.Side(side), j.Header.Limits.limits())
			}
		}
		if j.ends[side] == nil {
			j.disagree("player %d speaks dialect %q, which %s does not have", side+1, p.Protocol, j.game.Name())
		}
	}
	j.tell(game.Event{Kind: game.EventBegin})
	if !j.game.HasSetUp() {
		j.start()
	}
}

func (j *judge) start() {
	pos, err := j.game.New(j.rules, j.SetUps)
	if err != nil {
		return // a set-up is illegal, which the ending must say
	}
	j.pos = pos
	j.Positions = append(j.Positions, pos)
	j.turn()
}

func (j *judge) turn() {
	if _, over := j.pos.Outcome(); over || j.capped() {
		return
	}
	j.refused = 0
	j.tell(game.Event{Kind: game.EventTurn, Side: j.pos.Mover()})
}

func (j *judge) capped() bool {
	return j.Header.Limits.MaxPlies > 0 && j.pos.Ply() >= j.Header.Limits.MaxPlies
}

func (j *judge) tell(e game.Event) {
	for side := range j.ends {
		j.tellOne(game.Side(side), e)
	}
}

func (j *judge) tellOne(side game.Side, e game.Event) {
	if j.ends[side] == nil {
		return
	}
	var v game.View
	if j.pos != nil {
		v = j.pos.View(side)
	}
	for _, text := range j.ends[side].Tell(e, v) {
		j.due[side] = append(j.due[side], bytes.Clone(text))
	}
	j.compare(side)
}

func (j *judge) take(line Line) {
	if j.Ending != nil {
		j.disagree("a %q line after the end", line.Event)
		return
	}
	if line.Event == "end" {
		j.end(line)
		return
	}
	if line.Side != 1 && line.Side != 2 {
		j.disagree("a %q line of side %d", line.Event, line.Side)
		return
	}
	side := game.Side(line.Side - 1)
	switch line.Event {
	case "sent":
		j.sent(side, line.text())
	case "received":
		j.unread[side] = append(j.unread[side], line.text()...)
	case "setup":
		j.setUp(side, line)
	case "move":
		j.move(side, line)
	case "illegal":
		j.refuse(side, line)
	default:
		j.disagree("unknown event %q", line.Event)
	}
}

func (l Line) text() []byte {
	if l.Bytes != nil {
		return l.Bytes
	}
	return []byte(l.Text)
}

func (j *judge) sent(side game.Side, text []byte) {
	j.heard[side] = append(j.heard[side], heard{j.line, bytes.Clone(text)})
	j.compare(side)
}

// compare pairs what was sent with what had to be. The end of a game is sent before the line that
// says how it ended, so either may come first.
func (j *judge) compare(side game.Side) {
	for len(j.heard[side]) > 0 && len(j.due[side]) > 0 {
		h, due := j.heard[side][0], j.due[side][0]
		j.heard[side], j.due[side] = j.heard[side][1:], j.due[side][1:]
		if !bytes.Equal(h.text, due) {
			j.line = h.line
			j.disagree("player %v was sent %q; by the rules it is %q", side, h.text, due)
		}
	}
}

// finish finds what was sent and nothing explains. The reverse is no fault: a program that has
// closed its input is sent nothing more.
func (j *judge) finish() {
	if j.Ending == nil {
		return
	}
	for side, rest := range j.heard {
		for _, h := range rest {
			j.line = h.line
			j.disagree("player %d was sent %q, for which there is no reason", side+1, h.text)
		}
	}
}

func (j *judge) answer(side game.Side, want game.AnswerKind) (game.Answer, bool) {
	if j.ends[side] == nil {
		return game.Answer{}, false
	}
	n, a, err := j.ends[side].Scan(j.unread[side], true)
	if err != nil || n == 0 {
		j.disagree("player %v had sent no readable answer: %v", side, err)
		j.unread[side] = nil
		return a, false
	}
	j.unread[side] = append([]byte{}, j.unread[side][n:]...)
	if a.Kind != want {
		j.disagree("player %v had sent %v", side, a.Kind)
		return a, false
	}
	return a, true
}

func (j *judge) setUp(side game.Side, line Line) {
	if j.given[side] {
		j.disagree("player %v gives a second set-up", side)
		return
	}
	if a, ok := j.answer(side, game.AnswerSetUp); ok && a.SetUp != game.SetUp(line.SetUp) {
		j.disagree("player %v had sent another set-up: %s", side, a.SetUp)
	}
	j.given[side], j.SetUps[side] = true, game.SetUp(line.SetUp)
	if err := j.game.CheckSetUp(j.SetUps[side]); err != nil {
		j.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Err: err})
	}
	if j.given == [2]bool{true, true} {
		j.start()
	}
}

// played reads the move of a line, and checks that it is the mover's and what the program had sent.
func (j *judge) played(side game.Side, line Line) (m game.Move, ok bool) {
	m, err := j.game.ParseMove(line.Move)
	switch {
	case j.pos == nil:
		j.disagree("a move before both set-ups")
		return m, false
	case err != nil:
		j.disagree("%v", err)
		return m, false
	case side != j.pos.Mover():
		j.disagree("player %v moves out of turn", side)
		return m, false
	}
	if a, ok := j.answer(side, game.AnswerMove); ok && a.Move != m {
		j.disagree("player %v had sent another move: %s", side, j.game.FormatMove(a.Move))
	}
	return m, true
}

func (j *judge) move(side game.Side, line Line) {
	m, ok := j.played(side, line)
	if !ok {
		return
	}
	if err := j.pos.Check(m); err != nil {
		j.disagree("the move is illegal: %v", err)
		return
	}
	limits := j.Header.Limits.limits()
	if limit := limits.ForMove(j.pos.Ply()) + limits.Grace; line.Took < 0 || line.Took > milliseconds(limit+starved) {
		j.disagree("the move took %v ms of %v ms, grace included, and was accepted", line.Took, milliseconds(limit))
	}
	if j.capped() {
		j.disagree("a move after the cap of %d plies", j.Header.Limits.MaxPlies)
		return
	}
	j.illegal = false
	j.pos = j.pos.Play(m)
	if line.Ply != j.pos.Ply() {
		j.disagree("the ply is %d, not %d", j.pos.Ply(), line.Ply)
	}
	j.Positions = append(j.Positions, j.pos)
	j.Moves = append(j.Moves, line)
	j.tell(game.Event{Kind: game.EventMoved, Side: side, Move: m})
	j.turn()
}

func (j *judge) refuse(side game.Side, line Line) {
	m, ok := j.played(side, line)
	if !ok {
		return
	}
	err := j.pos.Check(m)
	if err == nil {
		j.disagree("%s was refused and is legal", line.Move)
		return
	}
	j.illegal = true
	j.refused++
	j.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Move: m, HasMove: true, Err: err})
}

// end checks the recorded ending against the position reached.
func (j *judge) end(line Line) {
	e := line.End
	if e == nil {
		j.disagree("an end without its ending")
		return
	}
	j.Ending = e
	plies := 0
	if j.pos != nil {
		plies = j.pos.Ply()
	}
	if e.Plies != plies && e.Code != Void {
		j.disagree("the game has %d plies, not %d", plies, e.Plies)
	}
	if wrong := j.contradicts(e); wrong != "" {
		result := "nobody won"
		if e.Winner != nil {
			result = fmt.Sprintf("player %v won", *e.Winner)
		}
		j.disagree("the record says %s, %s; but %s", e.Code, result, wrong)
	}
	last := game.Event{Kind: game.EventEnd, Draw: e.Winner == nil}
	if !last.Draw {
		last.Winner = *e.Winner
	}
	j.tell(last)
}

// contradicts says what in the game speaks against an ending; "" if nothing does.
func (j *judge) contradicts(e *Ending) string {
	var outcome game.Outcome
	over := false
	if j.pos != nil {
		if outcome, over = j.pos.Outcome(); !over && j.capped() {
			outcome, over = game.Drawn(capReached(j.Header.Limits.MaxPlies)), true
		}
	}
	if !slices.Contains(Codes, e.Code) {
		return "there is no such code"
	}
	if over != (e.Code == Won || e.Code == Drawn) {
		if over {
			return "the game was over by its rules: " + outcome.Reason
		}
		return "the game was not over by its rules"
	}
	switch e.Code {
	case Void:
		if e.Winner != nil || e.Fault != nil {
			return "a void game has no winner and nobody at fault"
		}
		return ""
	case Won, Drawn:
		if e.Fault != nil {
			return "nobody is at fault in a game that the rules ended"
		}
		if outcome.Draw != (e.Code == Drawn) || outcome.Draw != (e.Winner == nil) || !outcome.Draw && *e.Winner != outcome.Winner {
			if outcome.Draw {
				return "by the rules it is a draw: " + outcome.Reason
			}
			return fmt.Sprintf("by the rules player %v won: %s", outcome.Winner, outcome.Reason)
		}
		if !strings.Contains(e.Reason, outcome.Reason) {
			return "by the rules the reason is: " + outcome.Reason
		}
		return ""
	}
	if e.Fault == nil || e.Winner == nil || *e.Winner != e.Fault.Other() {
		return "it names no player at fault whose opponent wins"
	}
	side := *e.Fault
	if j.pos != nil && side != j.pos.Mover() {
		return fmt.Sprintf("it was the turn of player %v", j.pos.Mover())
	}
	illegalSetUp := j.given[side] && j.game.CheckSetUp(j.SetUps[side]) != nil
	illegalMoves := j.illegal && j.refused > j.Header.Retries
	switch {
	case illegalSetUp != (e.Code == IllegalSetUp):
		return fmt.Sprintf("that the set-up of player %v is illegal is %v", side, illegalSetUp)
	case illegalMoves != (e.Code == IllegalMove):
		return fmt.Sprintf("%s of the %d that lose were refused in this turn", counted(j.refused), j.Header.Retries+1)
	case illegalSetUp, illegalMoves:
		return ""
	}
	return j.lastAnswer(side, e.Code)
}

func counted(moves int) string {
	if moves == 1 {
		return "1 illegal move"
	}
	return fmt.Sprintf("%d illegal moves", moves)
}

// lastAnswer checks what the program had sent at the end.
func (j *judge) lastAnswer(side game.Side, code Code) string {
	if j.ends[side] == nil {
		return ""
	}
	n, a, err := j.ends[side].Scan(j.unread[side], true)
	wanted := game.AnswerMove
	if j.pos == nil {
		wanted = game.AnswerSetUp
	}
	sent := Unreadable
	switch {
	case errors.Is(err, game.ErrTooLong):
		sent = Flooded
	case err == nil && n == 0:
		sent = "" // nothing whole, and why is not in the messages
	case err == nil && a.Kind == game.AnswerResign:
		sent = Resigned
	case err == nil && a.Kind == wanted:
		return fmt.Sprintf("the program had sent %v", a.Kind)
	}
	mute := code == TimedOut || code == Crashed || code == Closed || code == Flooded
	if sent != code && !(sent == "" && mute) {
		return fmt.Sprintf("what the program had sent means %q", sent)
	}
	if code == Unreadable {
		j.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Err: errors.New("unreadable")})
	}
	return ""
}
