#!/usr/bin/env python3
"""Hands a submission in to a course, and waits for its marks:

    LUZHANQI_TOKEN=... python3 submit.py https://games.example.org autumn bot.zip

It needs Python 3.8, play.py beside it, and nothing else. The last line is the marks.
"""

import json
import os
import sys
import urllib.parse

from play import Server


def state(submission):
    said = submission["state"]
    if said == "waiting" and "line" in submission:
        return f"{said}, number {submission['line']} in line"
    if "against" in submission:
        return f"{said}: {submission.get('games', 0)} games against {submission['against']}"
    return ": ".join([said] + [step["text"] for step in submission["steps"][-1:]])


def main(address, course, archive):
    server = Server(address)
    path = "/courses/" + urllib.parse.quote(course)
    query = urllib.parse.urlencode({"file": os.path.basename(archive)})
    with open(archive, "rb") as file:
        with server.open(f"{path}/submissions?{query}", file.read(), timeout=300) as answer:
            name = json.load(answer)["submission"]
    print(name)
    before = None
    for now in server.events(path + "/events"):
        for submission in now["submissions"]:
            if submission["name"] != name:
                continue
            if submission["state"] == "graded":
                print(f"{submission['score']:g} of {submission['max']:g} points")
                return
            if state(submission) != before:
                before = state(submission)
                print(before)
    raise SystemExit("the server has ended the stream of events before the marks; it goes on when it starts again")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
