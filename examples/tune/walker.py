#!/usr/bin/env python3
"""A Jungle program with two numbers to tune: luzhanqi tune examples/tune/plan.toml.

    walker.py WANDER GREED [SEED]

It walks towards the enemy's den. WANDER is the share of its moves that it draws by chance, so that two of them do not block each
other for ever; GREED says how many steps towards the den a step forward of the far half of the board is worth.
"""

import random
import sys

RED_DEN, BLUE_DEN = (3, 8), (3, 0)


def distance(x, y, den):
    return abs(x - den[0]) + abs(y - den[1])


def main():
    wander, greed = float(sys.argv[1]), float(sys.argv[2])
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else None)
    color = sys.stdin.readline().strip()
    target = BLUE_DEN if color == "red" else RED_DEN
    while sys.stdin.readline():  # the opponent's last move
        moves = [tuple(map(int, sys.stdin.readline().split())) for _ in range(int(sys.stdin.readline()))]
        if not moves:
            break
        random.shuffle(moves)

        def worth(m):
            before, after = distance(m[0], m[1], target), distance(m[2], m[3], target)
            return before - after + greed * (after < 6) * (before - after) + 100 * (after == 0)

        best = max(moves, key=worth)
        if worth(best) < 100 and random.random() < wander:
            best = random.choice(moves)
        print(*best, flush=True)


if __name__ == "__main__":
    main()
