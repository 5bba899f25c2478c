#!/usr/bin/env python3
"""A complete GasTank chess program to start from: it captures when it can, else plays any move.

Try it against the built-in player:

    luzhanqi match --game gastank 'python3 bot.py' builtin:greedy

It speaks the "plain" protocol (see game/gastank/README.md): the referee says first or second, then
the opponent's moves, one a line; the program answers with its own. A program always sees itself as
the lower side, on ranks 1 and 2. After an illegal move it hears "illegal" and the move, and has mostly
lost. Replace choose() by something better.
It chooses by chance; with the seed that it writes to standard error it does so again: python3 bot.py 7.
"""

import random
import sys

FILES = "ABCDEFGH"
RANKS = "1234567"
DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
NEIGHBOURS = DIAGONALS + [(1, 0), (-1, 0), (0, 1), (0, -1)]
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
FULL = 3


def step(square, df, dr):
    """The square so many files and ranks away, or None off the board."""
    f, r = FILES.index(square[0]) + df, RANKS.index(square[1]) + dr
    return FILES[f] + RANKS[r] if 0 <= f < 8 and 0 <= r < 7 else None


class Game:
    def __init__(self):
        # square -> (letter, gas); my pieces are small letters, the opponent's capitals
        self.board = {}
        for square, letter in zip(["C1", "D1", "E1", "F1", "D2", "F2"], "bqkbnn"):
            self.board[square] = (letter, FULL)
            self.board[square[0] + str(8 - int(square[1]))] = (letter.upper(), FULL)

    def place(self, board):
        """Begin elsewhere: ranks from 7 down, each of eight cells such as -- or q3."""
        self.board = {}
        for rank, row in zip(reversed(RANKS), board.split("/")):
            for file, cell in zip(FILES, row.split()):
                if cell != "--":
                    self.board[file + rank] = (cell[0], int(cell[1]))

    def targets(self, square):
        """Where the piece on a square can go, whoever owns what stands there."""
        kind = self.board[square][0].lower()
        if kind == "k":
            yield from (step(square, *d) for d in NEIGHBOURS)
        if kind in "nq":
            yield from (step(square, *d) for d in JUMPS)
        if kind in "bq":
            for d in DIAGONALS:
                to = step(square, *d)
                while to:
                    yield to
                    if to in self.board:
                        break  # bishops do not jump
                    to = step(to, *d)

    def moves(self):
        """My legal moves: own pieces may be captured, but not my king."""
        for square, (letter, gas) in list(self.board.items()):
            if letter.islower() and gas > 0:
                for to in self.targets(square):
                    if to and self.board.get(to, "-")[0] != "k":
                        yield square + to

    def play(self, move):
        """Anyone's move: it costs a unit of gas, a capture fills the tank."""
        letter, gas = self.board.pop(move[:2])
        self.board[move[2:]] = (letter, FULL if move[2:] in self.board else gas - 1)

    def choose(self):
        """Your idea goes here. This one takes the king, else any enemy piece, else moves anywhere."""
        moves = list(self.moves())
        captures = [m for m in moves if self.board.get(m[2:], "-")[0].isupper()]
        kings = [m for m in captures if self.board[m[2:]][0] == "K"]
        return random.choice(kings or captures or moves)


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.getrandbits(32)
    random.seed(seed)
    print("seed", seed, file=sys.stderr)  # standard error is yours
    game = Game()
    begins, played = None, 0  # in a match with openings: who begins, lower (that is me) or upper; moves that are played already
    for line in sys.stdin:
        word = line.strip()
        if not word:
            continue
        if word.startswith("illegal"):
            print("the referee called my move illegal:", word, file=sys.stderr)
            break
        if word.startswith("position "):
            _, begins, board = word.split(" ", 2)
            game.place(board)
            continue
        if word.startswith("opening "):
            game.play(word.split()[1])
            played += 1
            continue
        if word in ("first", "second"):
            mine = begins == "lower" if begins else word == "first"
            if mine == (played % 2 == 1):
                continue  # it is the opponent's turn
        else:
            game.play(word)  # the opponent's move
        move = game.choose()
        game.play(move)
        print(move, flush=True)  # without flush the referee waits for ever


if __name__ == "__main__":
    main()
