"""The pytest plugin on tests that fail: each is run in a pytest of its own, and its failures are read."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUGGY = ROOT / "Tests/Clients/python/buggy"

EXPECTED = {
    "test_request[cursor_in_the_path]": "req.param.missing",
    "test_request[cursor_in_local_time]": "req.param.schema",
    "test_request[brackets_in_lists]": "req.param.encoding",
    "test_request[list_as_one_text]": "req.param.encoding",
    "test_request[fields_in_the_query]": "req.body.missing",
    "test_request[json_under_a_form_header]": "req.body.unparsable",
    "test_form_by_hand": "req.param.encoding",
    "test_request[double_slash]": "req.path.unknown",
    "test_request[numbers_in_json]": "req.body.schema",
    "test_request[swapped_coordinates]": "req.body.schema",
    "test_get_for_post": "req.method.unknown",
    "test_endless_refresh": "check.retry-storm",
    "test_history_after_each_message": "check.read-after-send",
    "test_reused_button": "check.burst",
    "test_every_two_hundred_is_success": "joinQueue status 203 penaltyFirst: expected an error",
    "test_default_for_the_missing": "readChat required-missing /payload: expected an error",
    "test_everything_is_optional": "readUser required-null /nick: expected an error",
    "test_unreported_failure": "sweep.hang",
    "test_unused_reply": "test.reply-unused",
}


def run(folder, *arguments):
    """The output of a pytest in a folder, with the plugin of this checkout."""
    line = [
        sys.executable, "-m", "pytest", "-p", "understudy_mock.pytest_plugin", "-p", "no:cacheprovider", "--color=no", "-q",
        "-o", f"understudy_contract={ROOT}/specs/slp.yaml", "-o", f"understudy_fixtures={ROOT}/fixtures",
        "--rootdir", str(folder), *arguments, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "Clients/python"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    ended = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def buggy():
    return run(BUGGY)[1]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_bug_fails_its_test_by_the_name_of_the_rule(buggy, name):
    section = re.search(rf"^_+ {re.escape(name)} _+\n(.*?)(?=^_+ |\Z|^=+ )", buggy, re.M | re.S)
    assert section, buggy[-3000:]
    assert EXPECTED[name] in section.group(1)


def test_every_buggy_client_is_caught(buggy):
    assert re.search(rf"^{len(EXPECTED)} failed in", buggy, re.M), buggy[-500:]


def test_the_exchange_is_in_the_failure(buggy):
    assert "POST /v1/queue/search" in buggy and "lat=126.9&long=37.5" in buggy


def test_a_marker_allows_a_rule(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import pytest, urllib.request, urllib.error\n"
        "@pytest.mark.understudy(allow=['req.security.missing'])\n"
        "def test_it(lane):\n"
        "    with pytest.raises(urllib.error.HTTPError):\n"
        "        urllib.request.urlopen(lane.url + '/v1/user')\n")
    code, output = run(tmp_path)
    assert code == 0, output


def test_a_failure_of_the_test_itself_is_shown_with_the_requests_of_the_lane(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import urllib.request, urllib.error\n"
        "def test_it(lane):\n"
        "    try:\n"
        "        urllib.request.urlopen(lane.url + '/v1/user')\n"
        "    except urllib.error.HTTPError:\n"
        "        pass\n"
        "    assert 1 == 2\n")
    code, output = run(tmp_path)
    assert code == 1 and "assert 1 == 2" in output and "GET /v1/user -> 401" in output, output


def test_a_misspelt_marker_is_an_error(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import pytest\n@pytest.mark.understudy(forced={})\ndef test_it(lane):\n    pass\n")
    code, output = run(tmp_path)
    assert code != 0 and "has no argument `forced`" in output, output


def test_a_marker_names_a_contract(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import json, pytest, urllib.request\n"
        f"@pytest.mark.understudy(contract='{ROOT}/specs/petstore.yaml')\n"
        "def test_it(lane):\n"
        "    assert 'name' in json.load(urllib.request.urlopen(lane.url + '/api/pets/7'))\n")
    code, output = run(tmp_path)
    assert code == 0, output


def test_each_worker_of_xdist_has_a_mock_of_its_own(tmp_path):
    pytest.importorskip("xdist")
    (tmp_path / "test_it.py").write_text(
        "import pathlib, pytest\n"
        "@pytest.mark.parametrize('n', range(8))\n"
        "def test_it(lane, understudy, worker_id, n):\n"
        "    pathlib.Path(__file__).with_name(worker_id).write_text(understudy.url)\n")
    code, output = run(tmp_path, "-n", "2")
    assert code == 0, output
    urls = [path.read_text() for path in tmp_path.glob("gw*")]
    assert len(urls) == 2 and len(set(urls)) == 2
