"""Cheats: after some honest moves it jumps straight into the enemy's den and says that it has won."""

import sys

DENS = {"red": (3, 0), "blue": (3, 8)}


def main():
    color = sys.stdin.readline().strip()
    for turn in range(1000):
        if not sys.stdin.readline():
            return
        moves = [sys.stdin.readline().strip() for _ in range(int(sys.stdin.readline()))]
        if not moves:
            return
        if turn == 5:
            x, y = moves[0].split()[:2]
            print("claiming the den", file=sys.stderr)
            print(x, y, *DENS[color], "I have won", flush=True)
        else:
            print(moves[0], flush=True)


main()
