#!/usr/bin/env python3
"""A complete Luzhanqi program to start from: it plays any legal move.

Try it against the built-in player:

    luzhanqi match 'python3 bot.py' builtin:greedy

It speaks the S-expression protocol (see docs/protocol.md). Squares are A1 to E12, and a program
always sees its own side as rows 1 to 6. Replace choose() by something better. It chooses by chance;
with the seed that it writes to standard error it does so again: python3 bot.py 7.
"""

import random
import re
import sys

COLUMNS = "ABCDE"
SQUARES = [c + str(r) for r in range(1, 13) for c in COLUMNS]
CAMPS = {"B3", "D3", "C4", "B5", "D5", "B8", "D8", "C9", "B10", "D10"}
HEADQUARTERS = {"B1", "D1", "B12", "D12"}

# The flag in a headquarters, landmines in rows 1 and 2, no bomb in row 6.
SET_UP = {
    "A1": "L", "B1": "2", "C1": "L", "D1": "F", "E1": "3",
    "A2": "4", "B2": "2", "C2": "5", "D2": "L", "E2": "B",
    "A3": "7", "C3": "1", "E3": "B",
    "A4": "6", "B4": "1", "D4": "3", "E4": "8",
    "A5": "2", "C5": "9", "E5": "5",
    "A6": "1", "B6": "4", "C6": "7", "D6": "3", "E6": "6",
}


def neighbours(square):
    """The squares one step away, by road or railway."""
    column, row = COLUMNS.index(square[0]), int(square[1:])
    for dc, dr in [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
        if not (0 <= column + dc < 5 and 1 <= row + dr <= 12):
            continue
        to = COLUMNS[column + dc] + str(row + dr)
        if dc and dr and square not in CAMPS and to not in CAMPS:
            continue  # diagonals exist only at camps
        if dr and {row, row + dr} == {6, 7} and square[0] in "BD":
            continue  # the mountains
        yield to


class Game:
    def __init__(self):
        self.mine = dict(SET_UP)  # square -> piece
        enemy = {c + str(13 - r) for c in COLUMNS for r in range(1, 7)} - CAMPS
        self.enemy = set(enemy)  # squares; their pieces are hidden
        self.my_turn = False

    def moves(self):
        for square, piece in self.mine.items():
            if piece in "FL" or square in HEADQUARTERS:
                continue  # these never move
            for to in neighbours(square):
                if to not in self.mine and not (to in CAMPS and to in self.enemy):
                    yield square, to

    def choose(self):
        """Your idea goes here. This one captures when it can, else walks anywhere."""
        moves = list(self.moves())
        captures = [m for m in moves if m[1] in self.enemy]
        return random.choice(captures or moves) if moves else None

    def outcome(self, sign, start, to):
        """Someone moved: the sign says who fell, seen by the mover."""
        if self.my_turn:
            piece = self.mine.pop(start)
            if sign in (">", "="):
                self.enemy.discard(to)
            if sign in ("", ">"):
                self.mine[to] = piece
        else:
            self.enemy.discard(start)
            if sign in (">", "="):
                self.mine.pop(to, None)
            if sign in ("", ">"):
                self.enemy.add(to)


def say(text):
    print(text, flush=True)  # without flush the referee waits for ever


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.getrandbits(32)
    random.seed(seed)
    print("seed", seed, file=sys.stderr)  # standard error is yours
    game = Game()
    me = None
    for line in sys.stdin:
        words = re.findall(r"[^\s()]+", line)
        if not words:
            continue
        if words[0] == "setup":  # the set-up to give, in a match with openings (see docs/openings.md)
            game.mine = dict(zip(words[1::2], words[2::2]))
        elif words[0] == "init":
            me = words[1]
            say("(" + " ".join(f"({s} {p})" for s, p in game.mine.items()) + ")")
        elif words[0] in ("go", "opening"):  # an opening's move is not asked for, its outcome follows
            game.my_turn = words[1] == me
            if game.my_turn and words[0] == "go":
                move = game.choose()
                say(f"({move[0]} {move[1]})" if move else "(resign)")
        elif words[0] == "outcome":
            sign = words[1] if words[1] in "<>=" else ""
            game.outcome(sign, *words[-2:])
        elif words[0] == "illegal":
            print("the referee called my move illegal:", line.strip(), file=sys.stderr)
        elif words[0] == "end":
            break


if __name__ == "__main__":
    main()
