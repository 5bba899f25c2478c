#!/usr/bin/env python3
"""Plays a game against a built-in player through the API of a server: luzhanqi serve, then

    python3 play.py http://127.0.0.1:8057 jungle easy

It needs Python 3.8 and nothing else. It plays moves by chance: replace choose() by something better.
With a token: LUZHANQI_TOKEN=... python3 play.py https://games.example.org jungle easy
The last line is the id of the game and how it ended.
"""

import json
import os
import random
import sys
import urllib.error
import urllib.request


class Server:
    """A server, and what it is to know of us."""

    def __init__(self, address):
        self.api = address.rstrip("/") + "/api/v1"
        self.headers = {"Accept": "application/json"}
        if os.environ.get("LUZHANQI_TOKEN"):
            self.headers["Authorization"] = "Bearer " + os.environ["LUZHANQI_TOKEN"]

    def open(self, path, body=None, timeout=30):
        """The answer to GET, or to POST if there is a body: bytes as they are, or anything else as JSON."""
        headers = dict(self.headers)
        data = None
        if isinstance(body, bytes):
            headers["Content-Type"] = "application/octet-stream"
            data = body
        elif body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(self.api + path, data=data, headers=headers)
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                text = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                pass
            raise SystemExit(f"{request.get_method()} {path}: {error.code}: {text}")
        except urllib.error.URLError as error:
            raise SystemExit(f"{self.api}: {error.reason}")

    def ask(self, path, body=None):
        with self.open(path, body) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def events(self, path, after=0):
        """What happens, as it happens: server-sent events. The server says something every 15 seconds at least."""
        with self.open(f"{path}?after={after}") as answer:
            for line in answer:
                if line.startswith(b"data: "):
                    yield json.loads(line[len(b"data: "):])


def choose(legal):
    return random.choice(legal)["move"]


def main(address, game, level, side=0):
    server = Server(address)
    begun = server.ask("/games", {"game": game, "level": level, "side": int(side), "name": "play.py"})
    server.headers["Luzhanqi-Seat"] = begun["key"]
    path = "/games/" + begun["id"]
    now = server.ask(path)
    end, play, plies = now.get("end"), now.get("play"), len(now["plies"])
    events = server.events(path + "/events", after=now["events"])
    while not end:
        if play and play["turn"]:
            server.ask(path + "/moves", {"move": choose(play["legal"]), "ply": plies})
            play = None
        for event in events:
            if "ply" in event:
                plies = event["ply"]["n"]
                print(f"{plies}. player {event['ply']['side']}: {event['ply']['text']}")
            play, end = event.get("play", play), event.get("end")
            if end or play and play["turn"]:
                break
        else:
            raise SystemExit("the server has ended the stream of events before the game")
    print(begun["id"], end["code"], end["reason"])


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
