package console

import (
	"bytes"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// printedBoard is a board that a program has drawn, in player 1's frame, and where its last row ends.
// Gas that is not shown is zero.
type printedBoard struct {
	board gastank.Board
	end   int
}

// boardRow is one rank of a drawing.
type boardRow struct {
	rank  int // 1 to 7; zero: not labelled
	cells [gastank.Files]string
	line  int // of the text
	end   int // in the text
}

// maxBetween is how many lines may stand between two ranks of one board, such as rules of dashes.
const maxBetween = 2

// read returns all complete boards: seven rows from rank 7 down, or, if labelled so, from rank 1 up.
func (p *boardPattern) read(text []byte, side game.Side) (boards []printedBoard) {
	var rows []boardRow
	for row := range p.rows(text) {
		if n := len(rows); n > 0 && !row.follows(rows[n-1]) {
			rows = rows[:0]
		}
		if rows = append(rows, row); len(rows) == gastank.Ranks {
			if b, ok := p.board(rows, side); ok {
				boards = append(boards, printedBoard{b, row.end})
			}
			rows = rows[:0]
		}
	}
	return boards
}

func (r boardRow) follows(before boardRow) bool {
	if r.line-before.line > maxBetween+1 {
		return false
	}
	if r.rank == 0 || before.rank == 0 {
		return r.rank == before.rank
	}
	return r.rank == before.rank-1 || r.rank == before.rank+1
}

// rows yields the lines that are rows of a board.
func (p *boardPattern) rows(text []byte) func(yield func(boardRow) bool) {
	return func(yield func(boardRow) bool) {
		number, end := 0, 0
		for line := range bytes.Lines(text) {
			number++
			end += len(line)
			if row, ok := p.parseRow(bytes.TrimRight(line, "\n")); ok {
				row.line, row.end = number, end
				if !yield(row) {
					return
				}
			}
		}
	}
}

// parseRow reads one line.
func (p *boardPattern) parseRow(line []byte) (row boardRow, ok bool) {
	const maxBytes = 400 // bytes of a row; decoration may surround its cells
	if len(line) > maxBytes {
		return row, false
	}
	groups := p.row.FindSubmatch(line)
	if groups == nil {
		return row, false
	}
	cells := p.cell.FindAll(groups[p.cells], gastank.Files+1)
	if len(cells) != gastank.Files {
		return row, false
	}
	for i, cell := range cells {
		row.cells[i] = string(cell)
	}
	if p.rank > 0 {
		label := strings.TrimSpace(string(groups[p.rank]))
		if len(label) != 1 || label[0] < '1' || label[0] > '0'+gastank.Ranks {
			return row, false
		}
		row.rank = int(label[0] - '0')
	}
	return row, true
}

// board puts the pieces of seven rows on a board in player 1's frame. The program of player 1 calls
// itself the upper side, so its ranks are mirrored.
func (p *boardPattern) board(rows []boardRow, program game.Side) (b gastank.Board, ok bool) {
	seen := 0
	for i, row := range rows {
		rank := row.rank
		if rank == 0 {
			rank = gastank.Ranks - i
		}
		seen |= 1 << rank
		for file, cell := range row.cells {
			sq := game.Square((rank-1)*gastank.Files + file)
			if p.mirrored != (program == game.First) {
				sq = gastank.Mirror(sq)
			}
			letter := strings.IndexAny(cell, "KQBNkqbn")
			if letter < 0 {
				continue
			}
			side, kind := gastank.ParseLetter(cell[letter])
			if own := (side == game.Second) != p.small; own {
				side = program
			} else {
				side = program.Other()
			}
			gas := 0
			if digit := strings.IndexAny(cell, "0123"); digit >= 0 {
				gas = int(cell[digit] - '0')
			}
			b.Put(sq, side, kind, gas)
		}
	}
	return b, seen == 1<<(gastank.Ranks+1)-2
}

// blank returns a copy of the text with blanks in the place of all rows of boards.
func (p *boardPattern) blank(text []byte) []byte {
	text = bytes.Clone(text)
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\n")
		if _, ok := p.parseRow(line); ok {
			for i := range line {
				line[i] = ' '
			}
		}
	}
	return text
}
