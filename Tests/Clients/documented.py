#!/usr/bin/env python3
"""Does what a page of the documentation prints, in an empty folder beside a checkout: documented.py PAGE HEADING

A block is a file if the paragraph before it ends with the file's name, as in "A contract, `shop.yaml`:". A block `sh` is a script.
The section ends at the next heading of its level. UNDERSTUDY is the program.
"""
import os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"(?P<before>[^\n]*)\n+```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S)


def section(page, heading):
    text = (ROOT / page).read_text()
    start = text.index(f"\n{heading}\n") + 1
    level = heading.split()[0]
    end = re.search(rf"^{level} ", text[start + len(heading):], re.M)
    return text[start:start + len(heading) + end.start()] if end else text[start:]


def steps(text):
    """The files and scripts of a section, in order: a name, or None for a script, with its text."""
    for block in BLOCK.finditer(text):
        name = re.search(r"`([\w-]+\.[\w.]+)`:$", block["before"])
        if name or block["language"] == "sh":
            yield name[1] if name else None, block["text"]


def perform(page, heading, folder):
    scripts = 0
    for name, text in steps(section(page, heading)):
        if name:
            (folder / name).write_text(text)
        else:
            scripts += 1
            done = subprocess.run(["bash", "-e", "-c", text], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                sys.exit(f"error: {page} prints these commands:\n{text}they print:\n{done.stdout}")
    return scripts


if __name__ == "__main__":
    page, heading = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "understudy").symlink_to(ROOT)
        folder = work / "project"
        folder.mkdir()
        for name, text in steps(section("docs/python.md", "## Two minutes, from an empty folder")):
            # The other pages refer to this contract.
            if name == "shop.yaml":
                (folder / name).write_text(text)
        print(f"{page}: {perform(page, heading, folder)} scripts run as printed")
