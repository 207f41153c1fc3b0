"""A mock: one that this process starts, or one that runs already."""
from __future__ import annotations

import atexit
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Optional, Sequence, Union

from .admin import Admin, Exchange, Version, segment
from .errors import MockNotStarted
from .lane import Lane
from .program import program
from .values import Operation

Paths = Union[str, "os.PathLike[str]", "Sequence[Union[str, os.PathLike[str]]]"]


class Mock:
    """A running mock. `Mock.start` starts one that ends with `stop`, a `with` block, or this process."""

    def __init__(self, admin: Admin, process: "Optional[_Process]" = None) -> None:
        self._admin, self._process = admin, process

    @classmethod
    def connect(
        cls, url: Optional[str] = None, *, timeout: float = 60, on_exchange: Optional[Callable[[Exchange], None]] = None
    ) -> "Mock":
        """A mock that runs already: at `url`, else at UNDERSTUDY_BASE_URL, else at http://127.0.0.1:4010."""
        address = url or os.environ.get("UNDERSTUDY_BASE_URL") or "http://127.0.0.1:4010"
        mock = cls(Admin(address, timeout=timeout, on_exchange=on_exchange))
        mock.version()
        return mock

    @classmethod
    def start(
        cls, contract: Paths = (), *, fixtures: "Optional[Union[str, os.PathLike[str]]]" = None, port: int = 0,
        arguments: Sequence[str] = (), timeout: float = 60, on_exchange: Optional[Callable[[Exchange], None]] = None,
    ) -> "Mock":
        """Starts a mock of contracts on a free port; without any, of those of `understudy.yaml`.

        `arguments` are further ones of `understudy serve`. Raises `MockNotStarted` with the message of the program.
        """
        contracts = [contract] if isinstance(contract, (str, os.PathLike)) else list(contract)
        line = [str(program()), "serve", *(os.fspath(path) for path in contracts), "--port", str(port), "--no-watch", "--color", "never"]
        if fixtures is not None:
            line += ["--fixtures", os.fspath(fixtures)]
        process = _Process(line + list(arguments), timeout)
        mock = cls(Admin(process.url, timeout=timeout, on_exchange=on_exchange, explain=process.explanation), process)
        try:
            mock.version()
        except BaseException:
            mock.stop()
            raise
        return mock

    @property
    def url(self) -> str:
        return self._admin.url

    def version(self) -> Version:
        """The version of the API, that of the program, and the features."""
        return self._admin.version()

    def operations(self) -> "list[Operation]":
        """The operations of all contracts, with their documented statuses."""
        return [Operation.of(value) for value in self._admin.call("GET", "/operations")["operations"]]

    def lanes(self) -> "list[str]":
        """The names of the open lanes; `default` is that of requests without a name."""
        return [lane["name"] for lane in self._admin.call("GET", "/lanes")["lanes"]]

    def lane(self, name: Optional[str] = None, **settings: Any) -> Lane:
        """Opens a lane, a mock of its own, with the settings of `Lane.change` and perhaps `port=0`."""
        return Lane.open(self._admin, name, settings)

    def request_count(self, lane: Optional[str] = None) -> int:
        """The number of requests in the journal."""
        return int(self._admin.call("GET", "/requests/count", query={"lane": lane})["count"])

    def forget(self, lane: str) -> None:
        """Closes a lane by its name."""
        self._admin.call("DELETE", f"/lanes/{segment(lane)}")

    def stop(self) -> None:
        """Ends a mock that `start` has started."""
        if self._process:
            self._process.stop()

    def __enter__(self) -> "Mock":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


class _Process:
    """The program, until it is stopped or this process ends."""

    def __init__(self, line: "list[str]", timeout: float) -> None:
        # A handle that stays open; a pipe that nobody reads would stop the mock when it is full.
        self._log = tempfile.TemporaryFile()
        self._folder = tempfile.TemporaryDirectory(prefix="understudy-mock-")
        ready = Path(self._folder.name) / "ready"
        try:
            self._process = subprocess.Popen(
                [*line, "--ready-file", str(ready)], stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT)
        except OSError as error:
            raise MockNotStarted(f"{line[0]} cannot be run: {error.strerror}") from None
        atexit.register(self.stop)
        end = time.monotonic() + timeout
        while not (ready.exists() and ready.stat().st_size):
            if self._process.poll() is not None:
                raise self._not_started(f"`understudy serve` ended with exit code {self._process.returncode}")
            if time.monotonic() > end:
                self.stop()
                raise self._not_started(f"the mock did not listen within {timeout:g} s")
            time.sleep(0.01)
        self.url = ready.read_text().strip()

    def _not_started(self, what: str) -> MockNotStarted:
        text = self._tail()
        self.stop()
        return MockNotStarted(f"{what}:\n{text}" if text else what)

    def _tail(self) -> str:
        if self._log.closed:
            return ""
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - 2000))
        return self._log.read().decode("utf-8", "replace").strip()

    def explanation(self) -> str:
        """Why the mock does not answer; empty while it runs."""
        if self._log.closed:
            return ": it was stopped; open lanes before `stop`"
        code = self._process.poll()
        if code is None:
            return ""
        return f": it ended with exit code {code}, run the test again; its last lines:\n{self._tail()}"

    def stop(self) -> None:
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._log.close()
        self._folder.cleanup()
