#!/usr/bin/env python3
"""A complete Jungle program to start from: it walks towards the enemy's den.

Try it against the built-in player:

    luzhanqi match --game jungle 'python3 bot.py' builtin:greedy

The referee sends all legal moves, so a program need not know the rules (see game/jungle/README.md).
A square is x y, and 0 0 is top left for both sides. Replace choose() by something better.
It chooses by chance; with the seed that it writes to standard error it does so again: python3 bot.py 7.
"""

import random
import sys

RED_DEN, BLUE_DEN = (3, 8), (3, 0)


def read_turn():
    """The opponent's last move, (-1, -1, -1, -1) at first, and my moves; None: the game is over."""
    line = sys.stdin.readline()
    if not line:
        return None
    last = tuple(map(int, line.split()))
    count = int(sys.stdin.readline())
    return last, [tuple(map(int, sys.stdin.readline().split())) for _ in range(count)]


def distance(x, y, den):
    return abs(x - den[0]) + abs(y - den[1])


def choose(moves, target):
    """Your idea goes here. This one prefers the moves that end nearer to the den."""
    if random.random() < 0.2:
        return random.choice(moves)  # else two walkers could block each other for ever
    random.shuffle(moves)
    for x1, y1, x2, y2 in moves:
        if (x2, y2) == target:
            return x1, y1, x2, y2
    return max(moves, key=lambda m: distance(m[0], m[1], target) - distance(m[2], m[3], target))


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.getrandbits(32)
    random.seed(seed)
    print("seed", seed, file=sys.stderr)  # standard error is yours
    color = sys.stdin.readline().strip()  # red begins, blue is second
    while color.startswith(("opening", "position")):  # a position or a move with which a match begins that has openings
        color = sys.stdin.readline().strip()
    target = BLUE_DEN if color == "red" else RED_DEN
    while turn := read_turn():
        last, moves = turn
        print("they played", *last, file=sys.stderr)
        if not moves:
            break  # who cannot move has lost
        # One blank and a comment may follow the move. Without flush the referee waits for ever.
        print(*choose(moves, target), flush=True)


if __name__ == "__main__":
    main()
