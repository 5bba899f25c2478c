"""Walks towards the enemy's den, and takes what it can on the way."""

import random
import sys

RED_DEN, BLUE_DEN = (3, 8), (3, 0)


def read_turn():
    """The opponent's last move and my legal moves; None: the game is over."""
    line = sys.stdin.readline()
    if not line:
        return None
    count = int(sys.stdin.readline())
    return tuple(map(int, line.split())), [tuple(map(int, sys.stdin.readline().split())) for _ in range(count)]


def distance(x, y, den):
    return abs(x - den[0]) + abs(y - den[1])


def main():
    dice = random.Random(11)  # the same game whenever it is played again
    target = BLUE_DEN if sys.stdin.readline().strip() == "red" else RED_DEN
    while turn := read_turn():
        _, moves = turn
        if not moves:
            break
        dice.shuffle(moves)
        if dice.random() < 0.05:
            best = moves[0]
        else:
            best = max(moves, key=lambda m: distance(m[0], m[1], target) - distance(m[2], m[3], target))
            best = next((m for m in moves if (m[2], m[3]) == target), best)
        print(*best, flush=True)


if __name__ == "__main__":
    main()
