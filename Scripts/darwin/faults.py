"""Faults that Scripts/darwin-check must find, each in a copy of the checkout."""
import pathlib, shutil, subprocess, tempfile

CLIENT = "Sources/UnderstudyClient"
# The fault, the part that finds it, the file, the text and its replacement, and a part of the message.
FAULTS = [
    ("a missing import in a branch of iOS", "ios", f"{CLIENT}/Suites/XCUIApplication+Lane.swift", "import Foundation\n", "",
     "is used without an import of Foundation"),
    ("a lock that iOS 16 lacks", "ios", f"{CLIENT}/RunningMock.swift", "public import Foundation\n",
     "public import Foundation\nimport Synchronization\n\nlet counter = Mutex(0)\n", "`Synchronization.Mutex.init(_:)` needs iOS 18.0"),
    ("a wrong type in a branch of iOS", "ios", f"{CLIENT}/Suites/XCUIApplication+Lane.swift", "    launch()\n",
     '    launchEnvironment["PORT"] = 4010\n    launch()\n', "cannot assign value of type 'Int' to subscript of type 'String'"),
    ("a constant without a value in a branch of iOS", "ios", f"{CLIENT}/Suites/XCUIApplication+Lane.swift", "    launch()\n",
     "    let number: Int\n    print(number)\n    launch()\n", "constant 'number' used before being initialized"),
    ("a function that macOS lacks", "c", "Sources/CUnderstudyProcess/process.c", None,
     "\nint prctl(int, ...);\nint understudy_rename(void) { return prctl(15, \"understudy\"); }\n", "undefined symbol: _prctl"),
]


def copy_of(root, folder):
    """The files that git knows or would add."""
    names = subprocess.check_output(["git", "ls-files", "-z", "-co", "--exclude-standard", "--", "Package.swift", "LICENSE", "Sources",
                                     "Plugins", "Scripts", "Tests/Consumer"], cwd=root, text=True).split("\0")
    for name in filter(None, names):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, folder / name)


def main(root):
    missed = 0
    for fault, part, name, text, replacement, message in FAULTS:
        with tempfile.TemporaryDirectory(prefix="darwin-fault-") as folder:
            folder = pathlib.Path(folder).resolve()
            copy_of(root, folder)
            source = (folder / name).read_text()
            if text is not None and text not in source:
                raise SystemExit(f"error: {name} has no line `{text.strip()}`")
            (folder / name).write_text(source.replace(text, replacement, 1) if text else source + replacement)
            done = subprocess.run([folder / "Scripts/darwin-check", part], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = done.returncode == 1 and message in done.stdout
        print(f"{'found' if found else 'MISSED'}: {fault}", flush=True)
        if not found:
            missed += 1
            print(done.stdout)
    return 1 if missed else 0
