# Speaks another judge's words and walks its elephant to and fro.
import sys

print("RDY", flush=True)
print("hello", flush=True)  # not every line is for the judge
steps = None
for line in sys.stdin:
    word, *rest = line.split()
    if word == "BYE":
        break
    if word == "UGO":
        steps = [(0, 6), (0, 5)]
    elif steps is None:
        steps = [(6, 2), (6, 3)]
    if word == "HEDID":
        assert len(rest) == 6, rest  # two limits and a move
    print("IDO", *steps[0], *steps[1], flush=True)
    steps.reverse()
