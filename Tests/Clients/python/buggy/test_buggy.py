"""Each test is meant to fail, by the rule in its name: `Tests/Clients/python/test_plugin.py` runs them and reads the failures."""
import pytest

from clients import Wire


def run(lane, bug):
    getattr(Wire(lane.url), bug)()


@pytest.mark.parametrize("bug", [
    "cursor_in_the_path", "cursor_in_local_time", "brackets_in_lists", "list_as_one_text", "fields_in_the_query",
    "json_under_a_form_header", "double_slash", "numbers_in_json", "swapped_coordinates",
])
def test_request(lane, bug):
    run(lane, bug)


def test_form_by_hand(lane):
    run(lane, "form_by_hand")
    # A warning, which fails no test by itself.
    assert lane.verdict().rules == []


@pytest.mark.understudy(force={"readQueueState": "200.matched"})
def test_get_for_post(lane):
    run(lane, "get_for_post")


@pytest.mark.understudy(checks=["retry-after-401", "retry-storm"])
def test_endless_refresh(lane):
    lane.force(readUser="401*6")
    run(lane, "endless_refresh")


@pytest.mark.understudy(checks=["read-after-send"], stop_clock=True)
def test_history_after_each_message(lane):
    run(lane, "history_after_each_message")


@pytest.mark.understudy(checks=[{"burst": {"operations": ["requestStudy"]}}], stop_clock=True)
def test_reused_button(lane):
    run(lane, "reused_button")


def test_every_two_hundred_is_success(lane):
    lane.sweep(lambda run: Wire(run.url).every_two_hundred_is_success()).expect(throws_for=[range(201, 300)])


def test_default_for_the_missing(lane):
    lane.sweep(lambda run: Wire(run.url).default_for_the_missing(), operations=["readChat"]).expect(throws_for=["required-missing"])


def test_everything_is_optional(lane):
    lane.sweep(lambda run: Wire(run.url).everything_is_optional()).expect(throws_for=["required-null"])


def test_unreported_failure(lane):
    lane.reply("withdraw", "200.quoted")
    lane.sweep(lambda run: Wire(run.url).unreported_failure(), within=0.5, operations=["withdraw"]).expect(no_hang=True)


def test_unused_reply(lane):
    lane.reply("readUser", 406)
