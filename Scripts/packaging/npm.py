#!/usr/bin/env python3
"""The npm packages: npm.py --version VERSION --output FOLDER [--platform linux-x64 --program FILE]

With a program its package for the platform, without one the package that users name, which depends on those of all
platforms: npm installs the one that fits, and runs no script. The files are those that `npm publish FILE` takes.
"""
import argparse, json, pathlib

from archive import program_files, repository, tar_gz

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIENT = ROOT / "Clients/javascript"
PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]


def encoded(value):
    return (json.dumps(value, indent=2) + "\n").encode()


def write_platform(version, platform, program, output):
    system, processor = platform.split("-")
    common = json.loads((CLIENT / "package.json").read_text())
    package = {
        "name": f"understudy-mock-{platform}", "version": version,
        "description": f"The program of understudy-mock for {platform}", "license": common["license"],
        "repository": f"github:{repository()}", "os": [system], "cpu": [processor],
        # npm reads it since 10, and only for Linux.
        **({"libc": ["glibc"]} if system == "linux" else {}),
        "preferUnplugged": True, "files": sorted({name.split("/")[0] for name, _ in program_files(program)}),
    }
    return write(package, program_files(program), output)


def write_main(version, output):
    package = json.loads((CLIENT / "package.json").read_text()) | {"version": version, "repository": f"github:{repository()}"}
    package["optionalDependencies"] = {f"understudy-mock-{platform}": version for platform in PLATFORMS}
    names = [name for entry in package["files"] for name in names_of(entry)]
    return write(package, [(name, CLIENT / name) for name in names] + [("README.md", CLIENT / "README.md")], output)


def names_of(entry):
    path = CLIENT / entry
    return [entry] if path.is_file() else sorted(file.relative_to(CLIENT).as_posix() for file in path.rglob("*") if file.is_file())


def write(package, files, output):
    target = output / f"{package['name']}-{package['version']}.tgz"
    parts = [("package.json", encoded(package)), ("LICENSE", ROOT / "LICENSE"), *files]
    tar_gz(target, [(f"package/{name}", content) for name, content in sorted(parts, key=lambda part: part[0])])
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--platform", choices=PLATFORMS)
    parser.add_argument("--program", type=pathlib.Path)
    options = parser.parse_args()
    if options.platform:
        print(write_platform(options.version, options.platform, options.program, options.output).name)
    else:
        print(write_main(options.version, options.output).name)
