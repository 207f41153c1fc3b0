#!/usr/bin/env python3
"""The program in a wheel: wheel.py --version VERSION --tag PLATFORM --program FILE --output FOLDER

The module is Clients/python/understudy_mock, and its pyproject.toml has the metadata. PLATFORM is that of PEP 425, such as
manylinux_2_35_x86_64.
"""
import argparse, base64, hashlib, pathlib, tomllib

from archive import files_below, mode_of, program_files, repository, wheel_zip

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIENT = ROOT / "Clients/python"
NAME = "understudy_mock"

WHEEL = """\
Wheel-Version: 1.0
Generator: understudy
Root-Is-Purelib: false
Tag: py3-none-{tag}
"""


def metadata(project, version):
    fields = [
        ("Metadata-Version", "2.4"), ("Name", project["name"]), ("Version", version), ("Summary", project["description"]),
        ("Keywords", ",".join(project["keywords"])), ("License-Expression", project["license"]), ("License-File", "LICENSE"),
        ("Requires-Python", project["requires-python"]), *(("Classifier", line) for line in project["classifiers"]),
        ("Project-URL", f"Source, https://github.com/{repository()}"), ("Description-Content-Type", "text/markdown"),
    ]
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n" + (CLIENT / project["readme"]).read_text()


def entry_points(project):
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    return "\n".join(f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in lines.items()) for group, lines in groups.items())


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(version, tag, program, output):
    info = f"{NAME}-{version}.dist-info"
    files = [(f"{NAME}/{name}", path.read_bytes(), 0o644) for name, path in files_below(CLIENT / NAME) if name.endswith((".py", ".typed", ".pyi"))]
    files += [(f"{NAME}/{name}", path.read_bytes(), 0o755 if path == program else mode_of(path)) for name, path in program_files(program)]
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    texts = {
        "METADATA": metadata(project, version), "WHEEL": WHEEL.format(tag=tag), "entry_points.txt": entry_points(project),
        "licenses/LICENSE": (ROOT / "LICENSE").read_text(),
    }
    files += [(f"{info}/{name}", text.encode(), 0o644) for name, text in texts.items()]
    record = "".join(record_line(name, data) for name, data, _ in files) + f"{info}/RECORD,,\n"
    target = output / f"{NAME}-{version}-py3-none-{tag}.whl"
    wheel_zip(target, files + [(f"{info}/RECORD", record.encode(), 0o644)])
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--tag", required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    print(write_wheel(options.version, options.tag, options.program, options.output).name)
