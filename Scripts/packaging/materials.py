#!/usr/bin/env python3
"""What a released program consists of, from what its build used.

    materials.py sbom --program FILE --name NAME --version VERSION ...   prints a bill of materials (SPDX 2.3, JSON)
    materials.py licences FOLDER ...                                     copies the licence of each part
    materials.py rename --from FILE --name NAME --program FILE           prints the bill of a program of the same parts

    --objects FILE     the list of objects that the linker read: it names the modules, and so the Swift packages
    --libraries FILE   the list that static-libraries writes
"""
import argparse, hashlib, json, os, pathlib, re, shutil, subprocess, sys
from dataclasses import dataclass, field
from datetime import datetime, timezone

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECKOUTS = ROOT / ".build/checkouts"


@dataclass
class Material:
    name: str
    version: str
    licence: str
    location: str = "NOASSERTION"
    licences: list = field(default_factory=list)

    @property
    def id(self):
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]", "-", self.name)


def swift_packages(objects):
    """The packages with a module among the objects, as Package.resolved has them."""
    modules = set(re.findall(r"/([A-Za-z0-9_]+)\.build/", objects.read_text()))
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        folder = CHECKOUTS / pin["identity"]
        if any((folder / "Sources" / module).is_dir() for module in modules):
            state = pin["state"]
            yield Material(
                pin["identity"], state["version"], "Apache-2.0", f"git+{pin['location']}@{state['revision']}",
                sorted(folder.glob("LICENSE*")) + sorted(folder.glob("NOTICE*")))


def swift_runtime():
    """The standard library and the runtime, which are linked in on Linux, and part of the system on macOS."""
    if sys.platform == "darwin":
        return
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    compiler = pathlib.Path(shutil.which("swift")).resolve()
    licence = [parent / "share/swift/LICENSE.txt" for parent in compiler.parents]
    yield Material(
        "swift", re.search(r"Swift version ([0-9.]+)", text)[1], "Apache-2.0 WITH Swift-exception", "https://www.swift.org",
        [path for path in licence if path.is_file()][:1])


def libraries(file):
    for line in file.read_text().splitlines():
        name, version, licence, archive = line.split("\t")
        yield Material(name, version, licence, licences=licences_of(pathlib.Path(archive)))


def licences_of(archive):
    """The licence that the system's packages keep: Debian's of the package, Homebrew's of the formula."""
    if shutil.which("dpkg"):
        found = subprocess.run(["dpkg", "-S", archive], capture_output=True, text=True).stdout
        paths = [pathlib.Path("/usr/share/doc") / found.split(":")[0] / "copyright"]
    else:
        folder = archive.resolve().parent.parent
        paths = [path for path in sorted(folder.iterdir()) if re.match(r"LICEN[CS]E|COPYING|NOTICE", path.name)]
    return [path for path in paths if path.is_file()]


def digest_of(program):
    return hashlib.sha256(program.read_bytes()).hexdigest()


def namespace(name, digest):
    """The digest makes it unique, and the same for the same program."""
    return f"https://spdx.org/spdxdocs/{name}-{digest}"


def renamed(bill, name, program):
    digest = digest_of(program)
    bill["packages"][0]["checksums"][0]["checksumValue"] = digest
    return bill | {"name": name, "documentNamespace": namespace(name, digest)}


def sbom(name, version, program, materials):
    digest = digest_of(program)
    created = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    own = Material("understudy", version, "Apache-2.0")

    def package(material, **more):
        return {
            "SPDXID": material.id, "name": material.name, "versionInfo": material.version,
            "downloadLocation": material.location, "licenseConcluded": "NOASSERTION", "licenseDeclared": material.licence,
            "copyrightText": "NOASSERTION", "filesAnalyzed": False, **more,
        }

    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": namespace(name, digest),
        "creationInfo": {"created": created, "creators": [f"Tool: understudy-dist-{version}"]},
        "packages": [
            package(own, primaryPackagePurpose="APPLICATION", checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        ] + [package(material) for material in materials],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own.id}
        ] + [
            {"spdxElementId": own.id, "relationshipType": "STATIC_LINK", "relatedSpdxElement": material.id}
            for material in materials
        ],
    }


def copy_licences(folder, materials):
    folder.mkdir(parents=True, exist_ok=True)
    for material in materials:
        if not material.licences:
            # Most of them ask to be part of what is distributed.
            sys.exit(f"error: no licence of {material.name} was found on this machine")
        for path in material.licences:
            name = material.name if path.name in ("copyright", "LICENSE.txt", "LICENSE") else f"{material.name}-{path.stem}"
            (folder / f"{name}.txt").write_bytes(path.read_bytes())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["sbom", "licences", "rename"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    for option in ["objects", "libraries", "program", "from"]:
        parser.add_argument(f"--{option}", type=pathlib.Path)
    parser.add_argument("--name")
    parser.add_argument("--version")
    options = parser.parse_args()
    if options.what == "rename":
        bill = json.loads(getattr(options, "from").read_text())
        print(json.dumps(renamed(bill, options.name, options.program), indent=1))
        sys.exit()
    parts = [*swift_packages(options.objects), *swift_runtime(), *libraries(options.libraries)]
    parts.sort(key=lambda part: part.name)
    if options.what == "licences":
        copy_licences(options.folder, parts)
    else:
        print(json.dumps(sbom(options.name, options.version, options.program, parts), indent=1))
