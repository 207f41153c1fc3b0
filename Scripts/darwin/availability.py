"""What sources use, by the compiler's AST: declarations of the standard library that are newer than the systems of a target, and
of Foundation in files that do not import it.

The toolchain's textual interfaces carry the versions of Apple's systems on every platform. XCTest and Testing of Linux export
Foundation, so the compiler does not miss an import of it.
"""
import re

MODULES = ["Swift", "_Concurrency", "_StringProcessing", "RegexBuilder", "Synchronization", "Observation", "Distributed"]
CONTEXT = re.compile(r"\b(?:struct|class|enum|actor|protocol|extension) ([\w.]+)")
MEMBER = re.compile(r"\b(?:public|open)\b.*?\b(?:func|var|let|case|typealias|init|subscript)\b")
NAME = re.compile(r"\b(?:func (?P<func>\w+)|(?:var|let|typealias) (?P<value>\w+)|(?P<init>init|subscript))")
USED = re.compile(r'(?:decl|bind)="((?:' + "|".join(MODULES) + r')\.\(file\)\.[^"@\[]*)')
FOUNDATION = re.compile(r'(?:decl|bind)="((?:Foundation|FoundationEssentials|FoundationNetworking)\.\(file\)\.[^"@\[]*)')
FILE = re.compile(r'\(source_file "([^"]*)"')
IMPORT = re.compile(r'\(import_decl .*module="(\w+)')
LOCATION = re.compile(r'([^\s=\["]+\.swift:\d+:\d+)')


def versions(attribute):
    """`@available(macOS 15.0, iOS 18.0, *)` as {"macOS": (15, 0), "iOS": (18, 0)}."""
    return {name: tuple(map(int, number.split("."))) for name, number in re.findall(r"\b(macOS|iOS) ([\d.]+)", attribute)}


def later(first, second):
    return {name: max(first.get(name, ()), second.get(name, ())) for name in first.keys() | second.keys()}


def labels(text):
    """The argument labels behind the name of a function, as the compiler writes them: `(for:)`, and nothing for `(_:)`."""
    depth, start, found = 0, 0, []
    # Generic parameters precede the arguments.
    begin = text.find("(")
    for index, character in enumerate(text[begin:], begin):
        if character in "([{<":
            depth += 1
            start = index + 1 if depth == 1 else start
        elif character in ")]}" or character == ">" and text[index - 1] != "-":
            depth -= 1
        if (character == "," and depth == 1) or depth == 0:
            label = re.match(r"\s*(?:@\w+(?:\([^)]*\))? )*(\w+)", text[start:index])
            found += [label[1]] if label else []
            start = index + 1
        if depth == 0:
            break
    return found


def full_name(line):
    """The name of a member with its labels, or None."""
    match = NAME.search(line)
    if not match:
        return None
    if match["value"]:
        return match["value"]
    name, words = match["func"] or match["init"], labels(line[match.end():])
    if match["func"] and words and all(word == "_" for word in words):
        return name
    return f"{name}({''.join(word + ':' for word in words)})"


def declarations(module, text):
    """Each public declaration of an interface, `Swift.Duration.seconds`, with its versions."""
    contexts, pending = [], {}
    for line in text.splitlines():
        indent, line = len(line) - len(line.lstrip(" ")), line.strip()
        if line.startswith("@available("):
            pending = later(pending, versions(line.split(")")[0]))
            line = line.split(")", 1)[1]
        # Further attributes, on lines of their own.
        if not line or line.startswith("#") or re.fullmatch(r"@\w+(\(.*\))?", line):
            continue
        while contexts and contexts[-1][0] >= indent:
            contexts.pop()
        outer = contexts[-1] if contexts else (-2, [], {}, False)
        # A member of a protocol has no access level; other lines without one belong to the body of a function.
        is_member = MEMBER.search(line) or outer[3] and indent == outer[0] + 2
        context = CONTEXT.search(line) if re.search(r"\b(public|open|extension)\b", line) and "{" in line else None
        if context or is_member:
            name = context[1].removeprefix(module + ".").removeprefix("Swift.") if context else full_name(line)
            own = later(outer[2], pending)
            if name:
                yield ".".join([module, *outer[1], name]), own
            if context:
                contexts.append((indent, [*outer[1], name], own, " protocol " in f" {line}"))
        pending = {}


class Availability:
    def __init__(self, folder):
        """Reads the interfaces below the toolchain's folder of modules."""
        self.introduced = {}
        for module in MODULES:
            for file in (folder / f"{module}.swiftmodule").glob("*.swiftinterface"):
                if ".private." in file.name or ".package." in file.name:
                    continue
                for name, own in declarations(module, file.read_text()):
                    known = self.introduced.setdefault(name, own)
                    # Of overloads with one name the oldest counts.
                    for system in ("macOS", "iOS"):
                        known[system] = min(known.get(system, ()), own.get(system, ()))

    def problems(self, tree, system, minimum):
        """Yields an error for each use that the system lacks, and for each file that uses Foundation without an import."""
        file, imports, used = "", set(), None
        # A file begins in the line in which the file before it ends.
        for line in (part for text in tree for part in re.split(r"(?=\(source_file )", text)):
            if start := FILE.match(line):
                yield from unimported(file, imports, used)
                file, imports, used = start[1], set(), None
            imports.update(IMPORT.findall(line))
            used = used or FOUNDATION.search(line)
            for name in USED.findall(line):
                name = plain(name)
                version = self.introduced.get(name, {}).get(system, ())
                if version > minimum:
                    yield f"{place(line, file)}: error: `{name}` needs {system} {'.'.join(map(str, version))}"
        yield from unimported(file, imports, used)


def plain(name):
    return name.replace(".(file)", "").replace(" extension", "").strip()


def place(line, file):
    location = LOCATION.search(line)
    return location[1] if location else file


def unimported(file, imports, used):
    if used and "Foundation" not in imports:
        yield f"{place(used.string, file)}: error: `{plain(used[1])}` is used without an import of Foundation"
