"""A small client of specs/slp.yaml, for `understudy sweep`."""

import http.client
import json
import os
import sys
import urllib.error
import urllib.request


class SLPError(Exception):
    """An answer that is not a value; the number is the exit code."""

    def __init__(self, code: int, words: str):
        super().__init__(words)
        self.code = code


MEANINGS = {401: "the token is refused", 406: "not registered", 500: "the server failed", 501: "the request is wrong"}


class SLPClient:
    def __init__(self, base_url: str, timeout: float = 5):
        self.base_url = base_url
        self.timeout = timeout

    def queue_state(self) -> str:
        status, body = self._get("/v1/queue/myQueueState")
        if status == 201:
            return "no search"
        try:
            state = json.loads(body)
            if state["matched"] != 1:
                return "waiting"
            # The partner may be absent or null even then.
            return f"matched with {state.get('matchedNick') or 'somebody'}"
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SLPError(5, f"the answer cannot be read: {error}") from error

    def _get(self, path: str) -> tuple[int, bytes]:
        request = urllib.request.Request(self.base_url + path, headers={"idtoken": "token"})
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                status, body = response.status, response.read()
        except urllib.error.HTTPError as error:
            raise SLPError(4, MEANINGS.get(error.code, f"unexpected status {error.code}")) from error
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise SLPError(6, f"no answer: {error}") from error
        if status not in (200, 201):
            raise SLPError(4, f"unexpected status {status}")
        return status, body


def main() -> int:
    try:
        print(SLPClient(os.environ["UNDERSTUDY_BASE_URL"]).queue_state())
    except SLPError as error:
        print(error, file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
