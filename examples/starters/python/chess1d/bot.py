#!/usr/bin/env python3
"""A complete 1-D chess program to start from: it takes what it can, else plays any legal move.

Try it against itself:

    luzhanqi match --game chess1d 'python3 bot.py' 'python3 bot.py'

It is started anew for every answer. "0" asks for a set-up, six characters for the squares 0 to 5;
"1" and a line of fifteen characters ask for a move, two hexadecimal digits. Blanks are squares: never
strip a line. Your pieces are small and go right. Replace choose() by something better.
"""

import random
import sys

SET_UP = "k af h"

# By piece: how far it moves, and how far it captures; forward is positive.
LEAPS = {
    "f": ([1], [2]),
    "c": ([-1], [-2]),
    "h": ([2, 3, -1], [-1]),
    "s": ([-2, -3, 1], [1]),
    "a": ([1, -2], [4]),
    "t": ([-1, 2], [-4]),
    "k": ([-1], [-1]),
    "q": ([1], [1]),
}


def moves(board):
    """All legal moves, as pairs of squares."""
    for start, piece in enumerate(board):
        go, take = LEAPS.get(piece, ([], []))
        for leap in sorted({*go, *take}):
            end = start + leap
            if not 0 <= end < len(board):
                continue
            if board[end] == " " and leap in go or board[end].isupper() and leap in take:
                yield start, end


def choose(board):
    """Your idea goes here."""
    legal = list(moves(board))
    wins = [m for m in legal if board[m[1]] in "KQ"]
    captures = [m for m in legal if board[m[1]] != " "]
    return random.choice(wins or captures or legal)


def main():
    code = sys.stdin.readline().rstrip("\n")
    if code == "0":
        print(SET_UP)
    else:
        board = sys.stdin.readline().rstrip("\n")
        start, end = choose(board)
        print(f"{start:x}{end:x}")


if __name__ == "__main__":
    main()
