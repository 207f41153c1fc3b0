"""Run by `understudy run specs/slp.yaml -- python3 -m pytest Examples/python-client`."""

import os
import urllib.request

import client


def with_preference(monkeypatch, preference: str) -> client.SLPClient:
    """A client whose requests ask the mock for an answer."""
    original = urllib.request.Request

    def request(url, headers):
        return original(url, headers={**headers, "Prefer": preference})

    monkeypatch.setattr(urllib.request, "Request", request)
    return client.SLPClient(os.environ["UNDERSTUDY_BASE_URL"])


def test_matched(monkeypatch):
    assert with_preference(monkeypatch, "example=matched").queue_state() == "matched with 라떼한잔"


def test_waiting(monkeypatch):
    assert with_preference(monkeypatch, "example=waiting").queue_state() == "waiting"


def test_no_search(monkeypatch):
    assert with_preference(monkeypatch, "code=201").queue_state() == "no search"


def test_refused_token(monkeypatch):
    try:
        with_preference(monkeypatch, "code=401").queue_state()
    except client.SLPError as error:
        assert str(error) == "the token is refused"
    else:
        raise AssertionError("expected an error")
