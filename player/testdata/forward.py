#!/usr/bin/env python3
"""A first Jungle program, as many write it, to measure against: it enters the den if it can, else
captures if it can, else mostly makes a random step forward."""

import random
import sys

START = [(0, 0), (6, 0), (1, 1), (5, 1), (0, 2), (2, 2), (4, 2), (6, 2)]  # and the same turned round


def main():
    red = sys.stdin.readline().strip() == "red"
    den = (3, 0) if red else (3, 8)
    occupied = set(START) | {(6 - x, 8 - y) for x, y in START}
    while line := sys.stdin.readline():
        x1, y1, x2, y2 = map(int, line.split())
        if x1 >= 0:
            occupied.discard((x1, y1))
            occupied.add((x2, y2))
        moves = [tuple(map(int, sys.stdin.readline().split())) for _ in range(int(sys.stdin.readline()))]
        if not moves:
            break

        def worth(move):
            x1, y1, x2, y2 = move
            forward = y2 < y1 if red else y2 > y1
            return random.random() + forward + 2 * ((x2, y2) in occupied) + 4 * ((x2, y2) == den)

        best = max(moves, key=worth)
        occupied.discard(best[:2])
        occupied.add(best[2:])
        print(*best, flush=True)


if __name__ == "__main__":
    main()
