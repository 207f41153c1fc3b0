"""The fixtures `understudy` and `lane` of pytest, and the marker `understudy`.

The contract is that of the marker, else of the option `understudy_contract` of pytest, else of `understudy.yaml`.
"""
from __future__ import annotations

from typing import Any, Iterator

import pytest

from .errors import LaneFailed
from .lane import Lane
from .mock import Mock

_SETTINGS = ("force", "scenario", "state", "checks", "fault", "delay", "seed", "dynamic", "limit", "advance", "stop_clock")
_MOCK = ("contract", "fixtures", "arguments")
_STARTED = pytest.StashKey["dict[Any, Mock]"]()
_LANE = pytest.StashKey[Lane]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("understudy_contract", "contracts of the mock, one a line; without any those of understudy.yaml", type="linelist")
    parser.addini("understudy_fixtures", "the folder of fixtures of the mock")
    parser.addini("understudy_url", "the address of a mock that runs already")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_STARTED] = {}
    config.addinivalue_line(
        "markers",
        "understudy(contract=None, fixtures=None, force=None, scenario=None, checks=None, allow=()): the mock and the lane of a test",
    )


def pytest_unconfigure(config: pytest.Config) -> None:
    for mock in config.stash.get(_STARTED, {}).values():
        mock.stop()


def _marks(request: pytest.FixtureRequest) -> "dict[str, Any]":
    """The arguments of the markers of a test: those of the function before those of its class and module."""
    values: "dict[str, Any]" = {}
    for mark in request.node.iter_markers("understudy"):
        for name, value in mark.kwargs.items():
            if name not in (*_SETTINGS, *_MOCK, "allow"):
                raise pytest.UsageError(f"the marker understudy has no argument `{name}`: it has {', '.join((*_MOCK, *_SETTINGS, 'allow'))}")
            values.setdefault(name, value)
    return values


def _mock(config: pytest.Config, values: "dict[str, Any]") -> Mock:
    """The mock of these contracts: one for a session, and with pytest-xdist one for a worker."""
    contract = values.get("contract") or [str(config.rootpath / path) for path in config.getini("understudy_contract")]
    contracts = [contract] if isinstance(contract, str) or not isinstance(contract, (list, tuple)) else list(contract)
    fixtures = values.get("fixtures") or config.getini("understudy_fixtures") or None
    arguments = tuple(values.get("arguments", ()))
    url = config.getini("understudy_url")
    key = (tuple(map(str, contracts)), str(fixtures), arguments, url)
    started = config.stash[_STARTED]
    if key not in started:
        started[key] = Mock.connect(url) if url else Mock.start(contracts, fixtures=fixtures, arguments=arguments)
    return started[key]


@pytest.fixture(scope="session")
def understudy(pytestconfig: pytest.Config) -> Mock:
    """A mock of the configured contracts on a free port, until the end of the session."""
    return _mock(pytestconfig, {})


@pytest.fixture
def lane(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> Iterator[Lane]:
    """A lane for one test. What its client broke, and replies that were not used, fail the test."""
    values = _marks(request)
    opened = _mock(pytestconfig, values).lane(**{name: values[name] for name in _SETTINGS if name in values})
    allowed = values.get("allow", ())
    opened.allow(*([allowed] if isinstance(allowed, str) else allowed))
    request.node.stash[_LANE] = opened
    yield opened
    # The hook below has closed it at the end of the call; it is open where an earlier fixture failed.
    if _LANE in request.node.stash:
        del request.node.stash[_LANE]
        opened.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Ends the lane within the call, so that what the client broke is a failure of the test, not an error of its teardown."""
    try:
        result = yield
    except BaseException as error:
        opened = item.stash.get(_LANE, None)
        if opened is not None and not isinstance(error, pytest.skip.Exception):
            item.stash[_NOTES] = _notes(opened)
        raise
    opened = item.stash.get(_LANE, None)
    if opened is not None:
        del item.stash[_LANE]
        __tracebackhide__ = True
        opened.finish()
    return result


_NOTES = pytest.StashKey[str]()


def _notes(opened: Lane) -> str:
    try:
        return "\n".join(str(request) for request in opened.requests()[-20:])
    except Exception:  # The test has failed already; its own error is the one to show.
        return ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[Any]") -> Any:
    """Shows a failed lane as it is written, without a trace, and after another failure what the client sent."""
    report = yield
    if call.when == "call" and call.excinfo is not None:
        if call.excinfo.errisinstance(LaneFailed) and isinstance(call.excinfo.value, LaneFailed):
            report.longrepr = str(call.excinfo.value)
        elif item.stash.get(_NOTES, ""):
            report.sections.append(("requests of the lane", item.stash[_NOTES]))
    return report
