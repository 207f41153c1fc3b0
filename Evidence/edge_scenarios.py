"""The files of Tests/Scenarios, played by curl. Tests/UnderstudyTestSupport/Scenario.swift describes their lines."""

import collections
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass
class Exchange:
    method: str
    target: str
    pause: str | None
    headers: list = dataclasses.field(default_factory=list)
    body: list | None = None
    status: int = 0
    # The lines of the answer, by their first word: rule, log, has, lacks, keep, file. Its fields are in `field`.
    lines: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(list))


@dataclasses.dataclass
class Scenario:
    title: str
    arguments: list = dataclasses.field(default_factory=list)
    exchanges: list = dataclasses.field(default_factory=list)
    verdict: list | None = None

    @property
    def isGood(self):
        """Whether it is a client without a mistake that the mock could find."""
        rules = [rule for exchange in self.exchanges for rule in exchange.lines["rule"]]
        if self.verdict is not None:
            return self.verdict == ["passed"]
        return bool(rules) and set(rules) == {"none"}


def read(path):
    scenarios, pause = [], None
    for line in path.read_text().splitlines():
        if line.startswith("=== "):
            scenarios.append(Scenario(line[4:]))
        elif line.startswith("serve "):
            scenarios[-1].arguments = line[6:].split()
        elif request := re.fullmatch(r"> ([A-Z]+) ([/h*]\S*)", line):
            scenarios[-1].exchanges.append(Exchange(request[1], request[2], pause))
            pause = None
        elif line.startswith(">"):
            exchange = scenarios[-1].exchanges[-1]
            if exchange.body is not None:
                exchange.body.append(line[2:])
            elif line[2:]:
                exchange.headers.append(line[2:])
            else:
                exchange.body = []
        elif status := re.fullmatch(r"< (\d{3})", line):
            scenarios[-1].exchanges[-1].status = int(status[1])
        elif field := re.fullmatch(r"< ([\w-]+): (.+)", line):
            scenarios[-1].exchanges[-1].lines["file" if field[1] == "file" else "field"].append(line[2:])
        elif line.startswith("advance: "):
            pause = line[9:]
        elif line.startswith("verdict: "):
            scenarios[-1].verdict = line[9:].split()
        elif word := re.match(r"(rule|log|has|lacks|keep): (.*)", line):
            scenarios[-1].exchanges[-1].lines[word[1]].append(word[2])
    return scenarios


def play(scenario, mocks):
    """Sends the requests to a new lane. Returns what was not as described, and the rules that were broken."""
    mock = mocks.lane(*scenario.arguments)
    mistakes, kept, found = [], {}, set()
    if scenario.verdict is not None:
        mock.direct({"stopClock": True})
    for exchange in scenario.exchanges:
        if exchange.pause:
            mock.direct({"advance": exchange.pause})
        target = re.sub(r"\{(\w+)\}", lambda name: kept.get(name[1], name[0]), exchange.target)
        answer = mock.ask(
            exchange.method, target, None if exchange.body is None else "\n".join(exchange.body), token=None,
            headers=exchange.headers)
        name = f"{exchange.method} {target}"
        if answer.status != exchange.status:
            mistakes.append(f"{name}: {answer.status} instead of {exchange.status}")
        lines = exchange.lines
        mistakes += [f"{name}: the answer lacks {text}" for text in lines["has"] if text not in answer.body]
        mistakes += [f"{name}: the answer has {text}" for text in lines["lacks"] if text in answer.body]
        for field in lines["field"]:
            if answer.headers.get(field.split(": ")[0].lower()) != field.split(": ", 1)[1]:
                mistakes.append(f"{name}: the answer has no `{field}`")
        for file in lines["file"]:
            if answer.body != (ROOT / file[6:]).read_text():
                mistakes.append(f"{name}: the body is not that of {file[6:]}")
        for member in lines["keep"]:
            if value := re.findall(rf'"{member}":\s*"([^"]*)"', answer.body):
                kept[member] = value[-1]
        rules, entry = mock.last_rules()
        if lines["rule"] and rules != [rule for rule in lines["rule"] if rule != "none"]:
            mistakes.append(f"{name}: broke {rules} instead of {lines['rule']}")
        mistakes += [f"{name}: no finding has {text}" for text in lines["log"] if text not in entry.replace('\\"', '"')]
        found |= set(rules)
    if scenario.verdict is not None:
        rules, verdict = mock.rules()
        wanted = [rule for rule in scenario.verdict if rule != "passed"]
        if rules != wanted or verdict != ("failed" if wanted else "passed"):
            mistakes.append(f"the verdict is {verdict} {rules} instead of {scenario.verdict}")
        found |= set(rules)
    return mistakes, found
