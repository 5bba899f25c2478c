"""Reads its first turn and then thinks for ever."""

import sys
import time

sys.stdin.readline()
while True:
    time.sleep(1)
