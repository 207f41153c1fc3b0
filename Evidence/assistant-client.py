"""What the client `openai` makes of each stream of specs/assistant.yaml."""

import os
import re
import subprocess
import sys

import openai

PROGRAM = os.environ["UNDERSTUDY"]


def outcome(url, **options):
    """The words that a client reads, or its error."""
    client = openai.OpenAI(base_url=url + "/v1", api_key="k", max_retries=0, timeout=options.pop("timeout", 5))
    words = []
    try:
        stream = client.chat.completions.create(
            model="parrot-1", messages=[{"role": "user", "content": "Hi"}], stream=True)
        for chunk in stream:
            words += [choice.delta.content for choice in chunk.choices if choice.delta.content]
        return "".join(words)
    except Exception as error:  # What a client throws is the result.
        return "".join(words) + " / " + type(error).__name__


def whole(url):
    client = openai.OpenAI(base_url=url + "/v1", api_key="k", max_retries=0)
    answer = client.chat.completions.create(model="parrot-1", messages=[{"role": "user", "content": "Hi"}])
    return answer.choices[0].message.content + " / " + client.models.list().data[0].id


def served(arguments, read):
    process = subprocess.Popen(
        [PROGRAM, "serve", "specs/assistant.yaml", "--port", "0", "--no-watch", *arguments], stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            found = re.search(r"http://127[.]0[.]0[.]1:[0-9]+", line)
            if found:
                return read(found.group())
        return "the mock does not start"
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


EXPECTED = [
    ([], whole, "A mock keeps its word. / parrot-1"),
    ([], outcome, "A mock keeps its word."),
    (["--scenario", "stall"], lambda url: outcome(url, timeout=0.5), "A mock  / APITimeoutError|A mock  / ReadTimeout"),
    (["--scenario", "cut"], outcome, "A mock  / RemoteProtocolError|A mock  / APIConnectionError"),
    (["--scenario", "error-after-200"], outcome, "A mock  / APIError"),
    (["--scenario", "late-first-token"], lambda url: outcome(url, timeout=0.5), " / APITimeoutError| / ReadTimeout"),
    (["--force", "createChatCompletion=429"], outcome, " / RateLimitError"),
    (["--force", "createChatCompletion=401"], outcome, " / AuthenticationError"),
]

failures = 0
for arguments, read, expected in EXPECTED:
    got = served(arguments, read)
    good = got in expected.split("|")
    failures += not good
    print("ok  " if good else "FAIL", " ".join(arguments) or "default", "->", got)
sys.exit(1 if failures else 0)
