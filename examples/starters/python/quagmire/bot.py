#!/usr/bin/env python3
"""A complete Quagmire program to start from: it plays any legal move that does not lose at once.

Try it against the built-in player:

    luzhanqi match --game quagmire 'python3 bot.py' builtin:greedy

The referee says O or X, then each move of the opponent, such as c2 c4; the program answers with one
move a line. The rules are in game/quagmire/README.md. Replace choose() by something better.
It chooses by chance; with the seed that it writes to standard error it does so again: python3 bot.py 7.
"""

import random
import sys

COLUMNS = "abcdefgh"
DIRECTIONS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
START = {
    "O": "a4 a3 b3 a2 b2 c2 a1 b1 c1 d1",
    "X": "h5 h6 g6 h7 g7 f7 h8 g8 f8 e8",
}


def beyond(square, direction, steps=1):
    """The square so many steps away, or None beyond the wall."""
    column = COLUMNS.index(square[0]) + direction[0] * steps
    row = int(square[1]) + direction[1] * steps
    return COLUMNS[column] + str(row) if 0 <= column < 8 and 1 <= row <= 8 else None


def around(square):
    return [s for s in (beyond(square, d) for d in DIRECTIONS) if s]


def other(side):
    return "X" if side == "O" else "O"


class Game:
    def __init__(self):
        self.board = {s: side for side in START for s in START[side].split()}
        self.last = {"O": None, "X": None}  # where the piece stands that the side moved last

    def play(self, start, to):
        side = self.board.pop(start)
        self.board[to] = side
        self.last[side] = to

    def place(self, rows, last_o, last_x):
        """Begin elsewhere: rows from 8 down, such as ..X....., and the squares moved to last, or -."""
        cells = [(c + str(8 - i), side) for i, row in enumerate(rows.split("/")) for c, side in zip(COLUMNS, row)]
        self.board = {square: side for square, side in cells if side != "."}
        self.last = {"O": last_o, "X": last_x}

    def quagmired(self, square):
        """Hemmed in on all sides, at least once by an enemy."""
        neighbours = [self.board.get(s) for s in around(square)]
        return None not in neighbours and other(self.board[square]) in neighbours

    def joined(self, start, to, wall):
        """Does a way lead from start to to around the pieces of wall?"""
        seen, todo = {start}, [start]
        while todo:
            for square in around(todo.pop()):
                if square not in seen and self.board.get(square) != wall:
                    seen.add(square)
                    todo.append(square)
        return to in seen

    def targets(self, start):
        """Where the piece on start can go: slides, jumps, and jumps across a closed enemy loop."""
        side = self.board[start]
        for direction in DIRECTIONS:
            to = beyond(start, direction)
            while to and to not in self.board:
                yield to
                to = beyond(to, direction)
            if not to or to != beyond(start, direction):
                continue  # a wall, or the next piece is further away
            land = beyond(to, direction)
            if not land or land in self.board:
                continue
            if self.board[to] == side or not self.joined(start, land, other(side)):
                yield land

    def moves(self, side):
        movable = [s for s, owner in self.board.items() if owner == side and s != self.last[side]]
        all_moves = [(start, to) for start in movable for to in self.targets(start)]
        relieving = [m for m in all_moves if self.quagmired(m[0])]
        return relieving or all_moves

    def loses(self, side, move):
        """Does the move leave an own piece in Quagmire?"""
        board, last = dict(self.board), dict(self.last)
        self.play(*move)
        lost = any(self.quagmired(s) for s, owner in self.board.items() if owner == side)
        self.board, self.last = board, last
        return lost

    def choose(self, side):
        """Your idea goes here. This one plays anything that does not lose at once."""
        moves = self.moves(side)
        random.shuffle(moves)
        for move in moves:
            if not self.loses(side, move):
                return move
        return moves[0] if moves else None


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.getrandbits(32)
    random.seed(seed)
    print("seed", seed, file=sys.stderr)  # standard error is yours
    game = Game()
    side = sys.stdin.readline().strip()
    turn = "O"  # moves first, but perhaps in a match with openings
    while " " in side:
        word, *rest = side.split()
        if word == "position":  # with which the match begins
            turn = rest[0]
            game.place(*rest[1:])
        else:  # opening: a move that is played already
            game.play(*rest)
            turn = other(turn)
        side = sys.stdin.readline().strip()
    line = "\n" if side == turn else sys.stdin.readline()  # at first I have nothing to read
    while line:  # the referee closes our input when the game is over
        words = line.split()
        if words and words[0] == "illegal":
            print("the referee called my move illegal:", line.strip(), file=sys.stderr)
            break
        if words:
            game.play(*words)
        move = game.choose(side)
        if move:
            game.play(*move)
        print(" ".join(move) if move else "resign", flush=True)  # without flush the referee waits for ever
        line = sys.stdin.readline()


if __name__ == "__main__":
    main()
