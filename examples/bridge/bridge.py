#!/usr/bin/env python3
"""A bridge: it lets a program play that speaks the words of another judge.

The referee starts the bridge, and the bridge starts the program, which stands behind it:

    luzhanqi match --game jungle 'python3 bridge.py python3 their_bot.py' builtin:greedy --time 5s

This one is for Jungle programs that say RDY and IDO, and hear UGO, HEDID and BYE. For other words and other games it is
a pattern: read what the referee says, say the same in the program's words, and pass its answer back. Squares are x y
from the top left corner in both; where a program counts otherwise, this is the place to convert them.
"""

import subprocess
import sys

LIMITS = "5.0 60.0"  # seconds that the program is told: for a move, and for all that is left of the game


def main():
    program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def hear(word):
        """The rest of the next line that begins with the word."""
        for line in program.stdout:
            if line.split()[:1] == [word]:
                return line.split()[1:]
            print("the program said", line.strip(), "where", word, "was expected", file=sys.stderr)
        sys.exit(f"the program ended where {word} was expected")

    def say(*words):
        print(*words, file=program.stdin, flush=True)

    hear("RDY")
    sys.stdin.readline()  # red or blue, which the program learns from whether it begins
    while last := sys.stdin.readline().split():  # the opponent's move, -1 -1 -1 -1 before the first
        moves = [sys.stdin.readline() for _ in range(int(sys.stdin.readline()))]
        if not moves:
            break  # who cannot move has lost
        if last[0] == "-1":
            say("UGO", LIMITS)
        else:
            say("HEDID", LIMITS, *last)
        print(*hear("IDO"), flush=True)
    say("BYE")


if __name__ == "__main__":
    main()
