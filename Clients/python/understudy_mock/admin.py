"""Requests to the admin API of a mock."""
from __future__ import annotations

import http.client
import json
import os
import socket
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional
from urllib.parse import quote, urlencode, urlsplit

from .errors import LaneLimit, MockRefused, MockUnreachable, MockUnsupported

#: The version of the API that this package speaks.
API_VERSION = 1


@dataclass(frozen=True)
class Exchange:
    """One request to the admin API with its answer, for a log."""

    method: str
    url: str
    request_body: Optional[bytes]
    status: int
    headers: "tuple[tuple[str, str], ...]"
    body: bytes


@dataclass(frozen=True)
class Version:
    """What a mock is: the version of its API, that of its program, and its features."""

    api: int
    program: str
    features: "tuple[str, ...]"


class Admin:
    """The admin API at an address; each request has a connection of its own, so threads may share it."""

    def __init__(
        self, url: str, *, timeout: float = 60, path: str = "/__admin", on_exchange: Optional[Callable[[Exchange], None]] = None,
        explain: Optional[Callable[[], str]] = None,
    ) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme != "http" or not parts.hostname:
            raise MockUnreachable(f"`{url}` is not the address of a mock: expected http://127.0.0.1:4010")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self._host, self._port = parts.hostname, parts.port or 80
        self._path, self._timeout = path, timeout
        self._on_exchange, self._explain = on_exchange, explain
        self._version: Optional[Version] = None

    def call(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, query: Optional[Mapping[str, Any]] = None,
        wait: float = 0,
    ) -> Any:
        """Sends a request and returns the JSON of its answer.

        `path` is below that of the API, with names that are escaped already; members of `query` that are None are left out.
        """
        target = self._path + path
        given = {name: value for name, value in (query or {}).items() if value is not None}
        if given:
            target += "?" + urlencode(given, doseq=True)
        content = None if body is None else json.dumps(body).encode()
        status, headers, answer = self._send(method, target, content, self._timeout + wait)
        if self._on_exchange:
            self._on_exchange(Exchange(method, self.url + target, content, status, headers, answer))
        try:
            value = json.loads(answer) if answer else None
        except ValueError:
            raise MockUnsupported(
                f"{method} {self.url}{target} answers {status} with what is not JSON: is another server on this port?"
            ) from None
        if status < 400:
            return value
        detail = value.get("detail", "") if isinstance(value, dict) else ""
        message = detail or f"{method} {target} answers {status}"
        if status == 401:
            message += "; set UNDERSTUDY_ADMIN_TOKEN to the token that the mock has printed"
        refusal = LaneLimit if status == 503 else MockRefused
        raise refusal(message, status, detail)

    def _send(
        self, method: str, target: str, content: Optional[bytes], timeout: float
    ) -> "tuple[int, tuple[tuple[str, str], ...], bytes]":
        headers = {"Accept": "application/json, application/problem+json"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        token = os.environ.get("UNDERSTUDY_ADMIN_TOKEN")
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        try:
            connection.request(method, target, content, headers)
            response = connection.getresponse()
            return response.status, tuple(response.getheaders()), response.read()
        except socket.timeout:
            raise MockUnreachable(
                f"the mock at {self.url} has not answered within {timeout:g} s: is the machine busy, or is another server on this"
                " port? A longer `timeout` waits longer") from None
        except (OSError, http.client.HTTPException) as error:
            raise MockUnreachable(f"no mock answers at {self.url} ({error or type(error).__name__}){self._reason()}") from None
        finally:
            connection.close()

    def _reason(self) -> str:
        explanation = self._explain() if self._explain else ""
        return explanation or f": start one with `understudy serve CONTRACT --port {self._port}`"

    def version(self) -> Version:
        """The version of the mock; one that is too old to tell has API 0 and no features."""
        if self._version is None:
            self._version = self._read_version()
        return self._version

    def _read_version(self) -> Version:
        try:
            answer = self.call("GET", "/version")
        except MockRefused as error:
            if error.status != 404:
                raise
            # A mock from before the handshake tells its program here; another server has no such resource.
            try:
                health = self.call("GET", "/health")
            except MockRefused:
                raise MockUnsupported(
                    f"the server at {self.url} is no Understudy mock, or one with --no-admin: start one with `understudy serve CONTRACT`"
                ) from None
            return Version(0, str(health.get("version", "unknown")), ())
        version = Version(int(answer["api"]), str(answer["program"]), tuple(answer.get("features", ())))
        if version.api != API_VERSION:
            side = "understudy-mock of this environment" if version.api > API_VERSION else "program `understudy`"
            raise MockUnsupported(
                f"the mock at {self.url} ({version.program}) speaks version {version.api} of the admin API, and this client"
                f" version {API_VERSION}: update the {side}"
            )
        return version

    def require(self, feature: str) -> None:
        """Raises `MockUnsupported` where the mock lacks a feature."""
        version = self.version()
        if feature not in version.features:
            raise MockUnsupported(
                f"the mock at {self.url} ({version.program}) has no feature `{feature}`: update the program `understudy`"
            )


def segment(name: str) -> str:
    """A name as one segment of a path."""
    return quote(name, safe="")
