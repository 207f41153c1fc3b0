#!/usr/bin/env python3
"""Runs many tests with a lane each against one mock: parallel.py [TESTS] [ROUNDS]

No lane has the request of another one, and none is left at the end.
"""
import http.client
import pathlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Clients/python"))

from understudy_mock import Mock  # noqa: E402


def get(url, pet):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    connection.request("GET", f"{parts.path}/api/pets/{pet}")
    status = connection.getresponse().status
    connection.close()
    return status


def run(mock, number):
    """One test: its answers are its own, and its requests those that it has sent."""
    with mock.lane() as lane:
        expected = [404, 200] if number % 2 else [200, 404]
        lane.reply("readPet", *expected)
        seen = [get(lane.url, number), get(lane.url, number)]
        assert seen == expected, f"test {number} was answered {seen}"
        paths = [request.path for request in lane.requests()]
        assert paths == [f"/api/pets/{number}"] * 2, f"test {number} has the requests {paths}"


def main(tests=200, rounds=20):
    begin = time.monotonic()
    with Mock.start(ROOT / "specs/petstore.yaml", fixtures=ROOT / "fixtures", arguments=["--quiet"]) as mock:
        for _ in range(rounds):
            with ThreadPoolExecutor(tests) as threads:
                list(threads.map(lambda number: run(mock, number), range(1, tests + 1)))
            left = [name for name in mock.lanes() if name != "default"]
            assert not left, f"lanes are left: {left}"
    print(f"Python: {tests} parallel tests, {rounds} times: {time.monotonic() - begin:.1f} s, no lane is left")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
