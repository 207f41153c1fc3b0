#!/usr/bin/env python3
"""The program in a wheel: wheel.py --version VERSION --tag PLATFORM --program FILE --output FOLDER

The module is Clients/python/understudy_mock. PLATFORM is that of PEP 425, such as manylinux_2_35_x86_64.
"""
import argparse, base64, hashlib, pathlib

from archive import files_below, wheel_zip

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIENT = ROOT / "Clients/python"
NAME = "understudy_mock"

METADATA = """\
Metadata-Version: 2.4
Name: understudy-mock
Version: {version}
Summary: A mock server and a contract tester for HTTP APIs
Keywords: mock,openapi,swagger,contract,testing
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.9
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Intended Audience :: Developers
Classifier: Framework :: Pytest
Classifier: Topic :: Software Development :: Testing
Classifier: Typing :: Typed
Project-URL: Source, https://github.com/your-organisation/understudy
Description-Content-Type: text/markdown

{description}"""
WHEEL = """\
Wheel-Version: 1.0
Generator: understudy
Root-Is-Purelib: false
Tag: py3-none-{tag}
"""
ENTRY_POINTS = f"[console_scripts]\nunderstudy = {NAME}.__main__:main\n\n[pytest11]\nunderstudy = {NAME}.pytest_plugin\n"


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(version, tag, program, output):
    info = f"{NAME}-{version}.dist-info"
    files = [(f"{NAME}/{name}", path.read_bytes(), 0o644) for name, path in files_below(CLIENT / NAME) if name.endswith((".py", ".typed", ".pyi"))]
    files.append((f"{NAME}/bin/understudy", program.read_bytes(), 0o755))
    description = (CLIENT / "README.md").read_text()
    texts = {
        "METADATA": METADATA.format(version=version, description=description), "WHEEL": WHEEL.format(tag=tag),
        "entry_points.txt": ENTRY_POINTS, "licenses/LICENSE": (ROOT / "LICENSE").read_text(),
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
