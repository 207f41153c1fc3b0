"""Real component schemas, mutations of them, and values at their boundaries."""
import copy, json, os, pathlib, re, string
from re import _parser as sre

import jsonschema_rs

ANNOTATIONS = {"description", "example", "examples", "externalDocs", "xml", "deprecated", "title", "discriminator", "readOnly",
               "writeOnly", "$comment", "default"}
SCHEMA_KEYS = {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"}
LIST_KEYS = {"allOf", "anyOf", "oneOf", "prefixItems"}
MAP_KEYS = {"properties", "patternProperties"}
PLAIN_KEYS = {"type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
              "pattern", "format", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required", "nullable"}
MODERN_KEYS = {"const", "prefixItems", "patternProperties", "propertyNames", "contains", "not", "if", "then", "else",
               "dependentRequired"}
MAXIMUM_BYTES = 6_000


# Sources


def documents(roots):
    import yaml
    for root in roots:
        files = [pathlib.Path(root)] if os.path.isfile(root) else sorted(pathlib.Path(root).rglob("*"))
        for file in files:
            if file.suffix not in (".json", ".yaml", ".yml") or not file.is_file() or file.stat().st_size > 3 << 20:
                continue
            try:
                text = file.read_text()
                document = json.loads(text) if file.suffix == ".json" else yaml.load(text, yaml.CSafeLoader)
                assert "openapi" in document or "swagger" in document
            except Exception:
                continue
            yield document


def components(roots):
    """The component schemas of some descriptions, each with the document that has it."""
    found = {}
    for document in documents(roots):
        schemas = (document.get("components") or {}).get("schemas") or document.get("definitions") or {}
        for name, schema in schemas.items():
            if isinstance(schema, dict):
                found.setdefault(json.dumps(schema, default=str), (document, f"/{name}", schema))
    return list(found.values())


class Inliner:
    """Writes a schema without references but those to itself, within a depth and a size."""

    def __init__(self, document, schema, name, version):
        self.document, self.root, self.name, self.version = document, schema, name, version
        self.left = 60

    def target(self, reference):
        node = self.document
        try:
            for token in reference.removeprefix("#/").split("/"):
                node = node[token.replace("~1", "/").replace("~0", "~")]
        except (KeyError, TypeError):
            return {}
        return node

    def schema(self, node, depth=0, path=()):
        if isinstance(node, bool):
            return node if self.version == "3.1.0" else {}
        if not isinstance(node, dict) or self.left <= 0 or depth > 7:
            return {}
        self.left -= 1
        reference = node.get("$ref")
        if isinstance(reference, str):
            target = self.target(reference)
            if target is self.root and depth:
                return {"$ref": f"#/components/schemas/{self.name}"}
            return {} if reference in path else self.schema(target, depth, (*path, reference))
        return self.keywords(node, depth, path)

    def keywords(self, node, depth, path):
        allowed = PLAIN_KEYS | SCHEMA_KEYS | LIST_KEYS | MAP_KEYS | MODERN_KEYS
        result = {}
        for key, value in node.items():
            if key == "const" and self.version != "3.1.0":
                key, value = "enum", [value]
            if key in ANNOTATIONS or key not in allowed or (self.version != "3.1.0" and key in MODERN_KEYS - {"not"}):
                continue
            if key in MAP_KEYS and isinstance(value, dict):
                result[key] = {name: self.schema(child, depth + 1, path) for name, child in list(value.items())[:12]}
            elif key in LIST_KEYS and isinstance(value, list) and value:
                result[key] = [self.schema(child, depth + 1, path) for child in value[:6]]
            elif key in SCHEMA_KEYS and isinstance(value, (dict, bool)):
                result[key] = value if value is False else self.schema(value, depth + 1, path)
            elif key in PLAIN_KEYS or key in ("const", "dependentRequired"):
                result[key] = copy.deepcopy(value)
        if "properties" in result and "required" in result:
            result["required"] = [name for name in result["required"] if name in result["properties"]] or ["id"]
        return valid(result, self.version)


FORMATS = {"date-time", "date", "time", "ipv4", "ipv6", "uuid", "byte", "int32", "int64"}


def valid(node, version):
    """The keywords of one schema object in the form of a version."""
    types = node.get("type")
    if types is not None and not (types in TYPES or isinstance(types, list) and types and all(name in TYPES for name in types)):
        del node["type"]
    if version == "3.1.0":
        if node.pop("nullable", False) is True and isinstance(node.get("type"), str) and node["type"] != "null":
            node["type"] = [node["type"], "null"]
        for bound in ("Minimum", "Maximum"):
            key, plain = f"exclusive{bound}", bound.lower()
            if isinstance(node.get(key), bool):
                if node.pop(key) and plain in node:
                    node[key] = node.pop(plain)
    else:
        if isinstance(types, list):
            rest = [name for name in types if name != "null"]
            node["type"] = rest[0] if rest else "string"
            if "null" in types:
                node["nullable"] = True
        for key in ("exclusiveMinimum", "exclusiveMaximum"):
            if not isinstance(node.get(key), bool):
                node.pop(key, None)
    for key in ("minimum", "maximum", "multipleOf"):
        if key in node and (not isinstance(node[key], (int, float)) or isinstance(node[key], bool)):
            del node[key]
    for key in list(node):
        if re.match("(min|max)(Length|Items|Properties)$", key) and not (isinstance(node[key], int) and 0 <= node[key] < 5_000):
            del node[key]
    if node.get("multipleOf", 1) <= 0:
        del node["multipleOf"]
    if "enum" in node and not (isinstance(node["enum"], list) and 0 < len(node["enum"]) < 80):
        del node["enum"]
    elif "enum" in node:
        # Dates of YAML are no values of JSON.
        node["enum"] = json.loads(json.dumps(node["enum"], default=str))
    if not isinstance(node.get("required", []), list) or not node.get("required", ["a"]):
        del node["required"]
    elif "required" in node:
        # jsonschema-rs counts a name that is listed twice twice.
        node["required"] = list(dict.fromkeys(node["required"]))
    if "pattern" in node and not readable(node["pattern"]):
        del node["pattern"]
    if node.get("format") not in FORMATS:
        node.pop("format", None)
    if not isinstance(node.get("uniqueItems", True), bool):
        del node["uniqueItems"]
    return node


def readable(pattern):
    try:
        sre.parse(pattern)
        return isinstance(pattern, str) and not re.search(r"\(\?|\\[pPbBAZzGQE1-9]|\[\[|&&", pattern) and len(pattern) < 300
    except Exception:
        return False


# Mutations


TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"]
PATTERNS = ["^[a-z]+$", "^[a-z0-9]*$", "^[A-Za-z0-9_-]{1,20}$", "^a", "x$", "^\\d{3}$", "^\\d+$", "^[a-c]{2}$", "^(foo|bar)$", "^\\S+$"]
PLAIN = [{"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}, {"type": "string", "enum": ["a", "b"]},
         {"type": "object"}, {"type": "array", "items": {"type": "string"}}, {}]


def nodes(schema):
    """The schema objects of a schema."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key, value in schema.items():
        if key in MAP_KEYS:
            for child in value.values():
                yield from nodes(child)
        elif key in LIST_KEYS:
            for child in value:
                yield from nodes(child)
        elif key in SCHEMA_KEYS:
            yield from nodes(value)


class Mutator:
    def __init__(self, dice, version):
        self.dice, self.version = dice, version
        self.isModern = version == "3.1.0"
        self.names = __import__("collections").Counter()

    def prepared(self, source, name):
        document, _, schema = source
        result = Inliner(document, schema, name, self.version).schema(schema)
        return result if len(json.dumps(result)) <= MAXIMUM_BYTES and result else copy.deepcopy(self.dice.choice(PLAIN[:7]))

    def mutated(self, schema, count):
        changed = copy.deepcopy(schema)
        done = 0
        for _ in range(60):
            node = self.dice.choice(list(nodes(changed)))
            if "$ref" in node:
                continue
            kind = self.dice.choice(self.KINDS)
            before = json.dumps(node)
            getattr(self, kind)(node)
            valid(node, self.version)
            if json.dumps(node) != before:
                self.names[kind] += 1
                done += 1
            if done == count:
                break
        return changed

    KINDS = ["bound"] * 3 + ["size"] * 2 + ["enumeration"] * 3 + ["required"] * 3 + ["type"] * 3 + ["null"] * 2 + ["additional"] * 3 \
        + ["pattern"] * 2 + ["format"] + ["branch"] * 3 + ["wrap"] * 3 + ["items"] * 2 + ["properties"] * 3 + ["multiple"] \
        + ["unique", "split", "modern", "modern"]

    def types(self, node):
        types = node.get("type")
        return types if isinstance(types, list) else [types] if types else []

    def bound(self, node):
        if self.types(node) and not set(self.types(node)) & {"integer", "number"}:
            return
        key = self.dice.choice(["minimum", "maximum"] + (["exclusiveMinimum", "exclusiveMaximum"] if self.isModern else []))
        if key in node and self.dice.random() < 0.3:
            del node[key]
        else:
            node[key] = node.get(key, self.dice.choice([0, 1, 10, 100])) + self.dice.choice([-10, -1, 0, 0.5, 1, 10])
        if not self.isModern and key in node and self.dice.random() < 0.3:
            node["exclusiveM" + key[1:]] = self.dice.random() < 0.7

    def multiple(self, node):
        if set(self.types(node)) & {"integer", "number"}:
            node["multipleOf"] = self.dice.choice([1, 2, 3, 0.5, 0.01, 10])

    def size(self, node):
        for names, kind in [(["string"], "Length"), (["array"], "Items"), (["object"], "Properties")]:
            if set(self.types(node)) & set(names):
                key = self.dice.choice(["min", "max"]) + kind
                if key in node and self.dice.random() < 0.3:
                    del node[key]
                else:
                    node[key] = max(0, node.get(key, self.dice.randint(0, 4)) + self.dice.choice([-1, 1, 2]))

    def enumeration(self, node):
        values = node.get("enum")
        if values and self.dice.random() < 0.2:
            del node["enum"]
        elif values and len(values) > 1 and self.dice.random() < 0.5:
            node["enum"] = values[:-1] if self.dice.random() < 0.5 else values[1:]
        elif values:
            node["enum"] = values + [self.dice.choice(["added", 7, None, "a"])]
        elif "string" in self.types(node):
            node["enum"] = self.dice.sample(["a", "b", "c", "text", ""], self.dice.randint(1, 3))
        elif "integer" in self.types(node) and self.dice.random() < 0.5:
            node["enum"] = self.dice.sample([0, 1, 2, 3, 10], self.dice.randint(1, 3))

    def required(self, node):
        if "object" not in self.types(node) and "properties" not in node:
            return
        names = list(node.get("properties", {})) + ["added"]
        listed = list(node.get("required", []))
        if listed and self.dice.random() < 0.5:
            listed.remove(self.dice.choice(listed))
        else:
            listed.append(self.dice.choice(names))
        node["required"] = list(dict.fromkeys(listed))
        if not node["required"]:
            del node["required"]

    def type(self, node):
        types = self.types(node)
        choice = self.dice.random()
        if types in (["integer"], ["number"]) and choice < 0.5:
            node["type"] = "number" if types == ["integer"] else "integer"
        elif self.isModern and choice < 0.75:
            node["type"] = list(dict.fromkeys(types + [self.dice.choice(TYPES)]))
        elif len(types) > 1:
            node["type"] = types[:-1]
        else:
            node["type"] = self.dice.choice(TYPES[:6])

    def null(self, node):
        if not self.isModern:
            if node.pop("nullable", None) is None and "type" in node:
                node["nullable"] = True
        elif "null" in self.types(node):
            node["type"] = [name for name in self.types(node) if name != "null"] or ["string"]
        elif self.types(node):
            node["type"] = self.types(node) + ["null"]
        else:
            self.replace(node, {"anyOf": [copy.deepcopy(node), {"type": "null"}]})

    def additional(self, node):
        if "object" in self.types(node) or "properties" in node:
            node["additionalProperties"] = self.dice.choice([False, False, True, *PLAIN[:4]])
            if self.dice.random() < 0.2:
                del node["additionalProperties"]

    def pattern(self, node):
        if "string" in self.types(node):
            node["pattern"] = self.dice.choice(PATTERNS)
            if self.dice.random() < 0.2:
                del node["pattern"]

    def format(self, node):
        if set(self.types(node)) & {"string", "integer", "number"}:
            node["format"] = self.dice.choice(["int32", "int64"] if "string" not in self.types(node) else ["date", "date-time", "uuid", "ipv4", "byte"])
            if self.dice.random() < 0.3:
                del node["format"]

    def branch(self, node):
        for key in ("oneOf", "anyOf", "allOf"):
            if key in node:
                branches = node[key]
                choice = self.dice.random()
                if choice < 0.3 and len(branches) > 1:
                    del branches[self.dice.randrange(len(branches))]
                elif choice < 0.6:
                    branches.append(copy.deepcopy(self.dice.choice(PLAIN)))
                elif choice < 0.75:
                    branches.reverse()
                elif key != "allOf":
                    node["anyOf" if key == "oneOf" else "oneOf"] = node.pop(key)
                return

    def wrap(self, node):
        key = self.dice.choice(["allOf", "anyOf", "oneOf"])
        other = copy.deepcopy(self.dice.choice(PLAIN))
        self.replace(node, {key: [copy.deepcopy(node)] + ([other] if self.dice.random() < 0.5 else [])})

    def split(self, node):
        """The same values, written as a conjunction."""
        keys = list(node)
        if "additionalProperties" in node or "nullable" in node or "exclusiveMinimum" in node or "exclusiveMaximum" in node or len(keys) < 2:
            return
        half = set(self.dice.sample(keys, len(keys) // 2)) - {"properties", "patternProperties", "prefixItems", "items", "if", "then", "else"}
        self.replace(node, {"allOf": [{key: node[key] for key in keys if key in half}, {key: node[key] for key in keys if key not in half}]})

    def items(self, node):
        if "array" in self.types(node):
            node["items"] = {"type": "array", "items": node.get("items", {})} if self.dice.random() < 0.3 else copy.deepcopy(self.dice.choice(PLAIN))

    def unique(self, node):
        if "array" in self.types(node):
            node["uniqueItems"] = not node.get("uniqueItems", False)

    def properties(self, node):
        properties = node.get("properties")
        if not properties:
            if "object" in self.types(node):
                node["properties"] = {"added": copy.deepcopy(self.dice.choice(PLAIN))}
            return
        name = self.dice.choice(list(properties))
        choice = self.dice.random()
        if choice < 0.35:
            properties["added"] = copy.deepcopy(self.dice.choice(PLAIN))
        elif choice < 0.7:
            del properties[name]
        else:
            properties["renamed"] = properties.pop(name)

    def modern(self, node):
        if not self.isModern:
            if self.dice.random() < 0.1:
                node["not"] = copy.deepcopy(self.dice.choice(PLAIN[:5]))
            return
        kind = self.dice.choice(["const", "patternProperties", "propertyNames", "dependentRequired", "prefixItems", "contains", "not", "if"])
        names = list(node.get("properties", {})) + ["added"]
        plain = copy.deepcopy(self.dice.choice(PLAIN))
        if kind == "const":
            node[kind] = self.dice.choice(node.get("enum") or ["a", 1, None, {}])
        elif kind in ("prefixItems", "contains") and "array" in self.types(node):
            node[kind] = [plain] if kind == "prefixItems" else plain
        elif kind in ("not", "if"):
            node[kind] = copy.deepcopy(self.dice.choice(PLAIN[:5]))
            if kind == "if":
                node["then"] = plain
        elif "object" in self.types(node):
            if kind == "patternProperties":
                node[kind] = {self.dice.choice(["^a", "^x-", "^[a-z]+$", "s$", ".", "^(added|id)$"]): plain}
            elif kind == "propertyNames":
                node[kind] = {"pattern": self.dice.choice(PATTERNS[:5])} if self.dice.random() < 0.6 else {"maxLength": self.dice.randint(2, 12)}
            elif kind == "dependentRequired":
                node[kind] = {self.dice.choice(names): [self.dice.choice(names)]}

    def replace(self, node, other):
        node.clear()
        node.update(other)


# Judgement


def judge(pair, name, version):
    """The validators of jsonschema-rs for both schemas; None if one cannot be read."""
    try:
        return tuple(validator(schema, name, version) for schema in pair)
    except Exception as problem:
        if os.environ.get("SHOW_UNREAD"):
            print("not read:", str(problem)[:200])
        return None


def whole(value, low, high):
    return isinstance(value, str) or (value == int(value) and low <= value <= high)


def validator(schema, name, version):
    if version == "3.1.0":
        root = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": {name: schema}}}
        return jsonschema_rs.Draft202012Validator(root, validate_formats=False)
    root = {"allOf": [{"$ref": f"#/components/schemas/{name}"}], "components": {"schemas": {name: draft4(schema)}}}
    return jsonschema_rs.Draft4Validator(root, validate_formats=True, formats=CHECKED)


# Draft 4 has some of these formats alone.
CHECKED = {name: jsonschema_rs.Draft202012Validator({"type": "string", "format": name}, validate_formats=True).is_valid
           for name in ("date", "date-time", "time", "uuid", "ipv4", "ipv6")}
INTEGERS = {"int32": (-2**31, 2**31 - 1), "int64": (-2**63, 2**63 - 1)}


def draft4(node):
    """A schema of OpenAPI 3.0 in draft 4."""
    if isinstance(node, list):
        return [draft4(child) for child in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    result = {}
    for key, value in node.items():
        if key in MAP_KEYS:
            result[key] = {name: draft4(child) for name, child in value.items()}
        elif key in SCHEMA_KEYS | LIST_KEYS:
            result[key] = draft4(value)
        else:
            result[key] = value
    if result.pop("nullable", False) is True and "type" in result:
        result["type"] = [result["type"], "null"]
    format = result.get("format")
    if format in INTEGERS:
        del result["format"]
        low, high = INTEGERS[format]
        limits = {"type": "integer", "minimum": low, "maximum": high}
        result = {"allOf": [result, {"anyOf": [{"not": {"type": "number"}}, limits]}]}
    elif format == "byte":
        del result["format"]
        encoded = {"pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"}
        result = {"allOf": [result, encoded]}
    return result


# Values


SAMPLES = {"date": "2024-05-17", "date-time": "2024-05-17T09:30:00Z", "time": "09:30:00Z", "uuid": "123e4567-e89b-12d3-a456-426614174000",
           "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "aGVsbG8="}


class Values:
    """Values for a pair of schemas, from the keywords of either side with the limits of both."""

    def __init__(self, pair, name, dice):
        self.pair, self.name, self.dice = pair, name, dice
        self.numbers, self.texts, self.constants, self.properties = {0, 1, -1, 2, 0.5}, {"", "a", "text", "0", "2024-05-17"}, [None, True, False], {"added", "renamed", "x-a", "ab", "other"}
        self.lengths = {0, 1, 2}
        for schema in pair:
            for node in nodes(schema):
                self.gather(node)
        self.numbers, self.texts, self.lengths = sorted(self.numbers), sorted(self.texts), sorted(self.lengths)
        self.properties = sorted(self.properties)
        self.isAtLimits = False

    def gather(self, node):
        for key, value in node.items():
            if key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") and not isinstance(value, bool):
                self.numbers |= {value - 1, value, value + 1, value + 0.5, value - 0.5}
            elif key == "multipleOf":
                self.numbers |= {value, 2 * value, 3 * value, -value}
            elif re.match("(min|max)(Length|Items|Properties)$", key):
                self.lengths |= {max(0, value - 1), value, value + 1}
            elif key == "enum" or key == "const":
                for constant in value if key == "enum" else [value]:
                    if isinstance(constant, str):
                        self.texts.add(constant)
                    else:
                        self.constants.append(constant)
            elif key == "pattern":
                self.texts |= {text for text in (self.matching(value) for _ in range(3)) if text is not None}
            elif key == "format" and value in SAMPLES:
                self.texts |= {SAMPLES[value], SAMPLES[value][:-1]}
            elif key == "format":
                low, high = INTEGERS[value]
                self.numbers |= {low, low - 1, high, high + 1}
            elif key == "properties":
                self.properties |= set(value)

    def draw(self, side, at_limits):
        self.isAtLimits = at_limits
        self.left = 120
        value = self.value(self.pair[side], 0)
        if self.dice.random() < 0.25:
            value = self.disturbed(value)
        return value

    def disturbed(self, value):
        """The value with one part replaced."""
        if isinstance(value, dict) and value and self.dice.random() < 0.7:
            name = self.dice.choice(list(value))
            choice = self.dice.random()
            if choice < 0.2:
                return {key: child for key, child in value.items() if key != name}
            if choice < 0.4:
                return {**value, self.dice.choice(self.properties): self.anything()}
            return {**value, name: self.disturbed(value[name])}
        if isinstance(value, list) and value and self.dice.random() < 0.7:
            position = self.dice.randrange(len(value))
            return value[:position] + [self.disturbed(value[position])] + value[position + 1:]
        return self.anything()

    def anything(self):
        choice = self.dice.randrange(8)
        if choice < 2:
            return self.dice.choice(self.texts)
        if choice < 4:
            return self.dice.choice(self.numbers)
        if choice < 6:
            return copy.deepcopy(self.dice.choice(self.constants))
        return [self.dice.choice(self.texts)][:self.dice.randint(0, 1)] if choice == 6 else {}

    def value(self, schema, depth):
        self.left -= 1
        if isinstance(schema, bool) or not schema or self.left < 0:
            return self.anything()
        if "$ref" in schema:
            side = 0 if self.contains(self.pair[0], schema) else 1
            return self.value(self.pair[side], depth + 1) if depth < 6 else self.anything()
        schema = self.flattened(schema)
        dice = self.dice
        if "const" in schema:
            return copy.deepcopy(schema["const"])
        if schema.get("enum") and dice.random() < 0.97:
            return copy.deepcopy(dice.choice(schema["enum"]))
        types = schema.get("type") or self.implied(schema)
        kind = dice.choice(types) if isinstance(types, list) else types
        if schema.get("nullable") and dice.random() < 0.15:
            return None
        if kind == "null" or kind == "boolean":
            return None if kind == "null" else dice.random() < 0.5
        if kind in ("integer", "number"):
            return self.number(schema, kind)
        if kind == "string":
            return self.text(schema)
        return self.array(schema, depth) if kind == "array" else self.object(schema, depth)

    def contains(self, schema, node):
        return any(other is node for other in nodes(schema))

    def implied(self, schema):
        for keys, kind in [({"properties", "required", "additionalProperties", "patternProperties", "minProperties"}, "object"),
                           ({"items", "prefixItems", "minItems", "maxItems"}, "array"), ({"pattern", "minLength", "maxLength"}, "string"),
                           ({"minimum", "maximum", "multipleOf"}, "number")]:
            if keys & set(schema):
                return kind
        return ["string", "integer", "object", "null", "boolean", "array", "number"]

    def flattened(self, schema):
        """One schema of all parts and of a branch, as far as this leads to likely values."""
        parts = [schema.get("allOf", []), *([self.dice.choice(schema[key])] for key in ("anyOf", "oneOf") if schema.get(key))]
        if not any(parts):
            return schema
        result = {key: value for key, value in schema.items() if key not in ("allOf", "anyOf", "oneOf")}
        for part in (part for group in parts for part in group):
            if not isinstance(part, dict):
                continue
            if "$ref" in part:
                continue
            for key, value in self.flattened(part).items():
                if key == "properties" and key in result:
                    result[key] = {**result[key], **value}
                elif key == "required" and key in result:
                    result[key] = list(dict.fromkeys(result[key] + value))
                elif key == "enum" and key in result:
                    result[key] = [one for one in result[key] if one in value] or value
                elif key not in result or self.dice.random() < 0.5:
                    result[key] = value
        return result

    def number(self, schema, kind):
        dice = self.dice
        low, high = schema.get("minimum"), schema.get("maximum")
        for key, bound in (("exclusiveMinimum", "low"), ("exclusiveMaximum", "high")):
            limit = schema.get(key)
            if isinstance(limit, (int, float)) and not isinstance(limit, bool):
                if bound == "low":
                    low = limit
                else:
                    high = limit
        if self.isAtLimits:
            near = [limit + step for limit in (low, high) if limit is not None for step in (-1, 0, 1)] + list(dice.sample(self.numbers, 2))
            value = dice.choice(near)
        else:
            start = low if low is not None else (high - 10 if high is not None else -3)
            value = start + dice.randint(0, max(1, min(20, int((high if high is not None else start + 20) - start))))
        step = schema.get("multipleOf")
        if step and dice.random() < 0.8:
            value = round(value / step) * step
            value = round(value, 6) if isinstance(value, float) else value
        if kind == "integer" or dice.random() < 0.5:
            value = int(value)
        return value

    def text(self, schema):
        dice = self.dice
        if schema.get("pattern") and dice.random() < 0.9:
            text = self.matching(schema["pattern"])
            if text is not None:
                return text
        if schema.get("format") in SAMPLES and dice.random() < 0.8:
            return SAMPLES[schema["format"]]
        low, high = schema.get("minLength", 0), schema.get("maxLength")
        if not self.isAtLimits and dice.random() < 0.4:
            text = dice.choice(self.texts)
        else:
            text = "".join(dice.choice("abcx01- é") for _ in range(dice.randint(0, 6)))
        lengths = [low, low - 1, *([high, high + 1] if high is not None else []), dice.choice(self.lengths)]
        length = dice.choice(lengths) if self.isAtLimits else min(max(len(text), low), high if high is not None else 5_000)
        length = min(max(length, 0), 400)
        return (text + "a" * length)[:length]

    def matching(self, pattern):
        try:
            return self.sequence(sre.parse(pattern))
        except Exception:
            return None

    def sequence(self, parsed):
        result = ""
        for operation, argument in parsed:
            name = str(operation)
            if name == "LITERAL":
                result += chr(argument)
            elif name == "NOT_LITERAL":
                result += "b" if chr(argument) != "b" else "c"
            elif name == "ANY":
                result += self.dice.choice("ab1 .")
            elif name == "IN":
                result += self.member(argument)
            elif name in ("MAX_REPEAT", "MIN_REPEAT"):
                least, most, inner = argument
                most = min(int(most), least + 4)
                count = self.dice.choice([least, most]) if self.isAtLimitsNow() else self.dice.randint(least, most)
                result += "".join(self.sequence(inner) for _ in range(count))
            elif name == "SUBPATTERN":
                result += self.sequence(argument[3])
            elif name == "BRANCH":
                result += self.sequence(self.dice.choice(argument[1]))
            elif name != "AT":
                raise ValueError(name)
        return result

    def isAtLimitsNow(self):
        return getattr(self, "isAtLimits", False)

    CATEGORIES = {"CATEGORY_DIGIT": string.digits, "CATEGORY_WORD": string.ascii_letters + "_" + string.digits, "CATEGORY_SPACE": " \t"}

    def member(self, members):
        isNegative = str(members[0][0]) == "NEGATE"
        chosen = set()
        for operation, argument in members:
            name = str(operation)
            if name == "LITERAL":
                chosen.add(chr(argument))
            elif name == "RANGE":
                chosen |= {chr(code) for code in range(argument[0], min(argument[1], argument[0] + 200) + 1)}
            elif name == "CATEGORY":
                category = str(argument)
                chosen |= set(self.CATEGORIES.get(category) or set(string.printable) - set(self.CATEGORIES[category.replace("NOT_", "")]))
        if isNegative:
            chosen = set(string.ascii_letters + string.digits + " .-_/é") - chosen
        return self.dice.choice(sorted(chosen))

    def array(self, schema, depth):
        dice = self.dice
        low, high = schema.get("minItems", 0), schema.get("maxItems")
        if self.isAtLimits:
            count = dice.choice([low, low - 1, low + 1, *([high, high + 1] if high is not None else [])])
        else:
            count = dice.randint(low, min(low + 3, high if high is not None else low + 3)) if (high is None or high >= low) else low
        count = min(max(count, 0), 12 if depth < 5 else 1)
        prefix = schema.get("prefixItems") or []
        result = []
        for position in range(count):
            element = prefix[position] if position < len(prefix) else schema.get("items", {})
            result.append(self.value(element, depth + 1))
        if result and "contains" in schema and dice.random() < 0.8:
            result[-1] = self.value(schema["contains"], depth + 1)
        return result

    def object(self, schema, depth):
        dice = self.dice
        properties = schema.get("properties") or {}
        required = schema.get("required") or []
        chance = dice.choice([0, 0.2, 0.6, 1]) if depth < 5 else 0
        result = {}
        for name in dict.fromkeys([*properties, *required]):
            wanted = 0.97 if name in required else chance
            if dice.random() < wanted:
                result[name] = self.value(properties.get(name, schema.get("additionalProperties", {})), depth + 1)
        others = schema.get("additionalProperties", {})
        patterns = schema.get("patternProperties") or {}
        for pattern, child in patterns.items():
            name = self.matching(pattern)
            if name is not None and name not in properties and dice.random() < 0.6:
                result[name] = self.value(child, depth + 1)
        if dice.random() < (0.02 if others is False else 0.3):
            result.setdefault(dice.choice(self.properties), self.value(others if others is not False else {}, depth + 1))
        for name, needed in (schema.get("dependentRequired") or {}).items():
            if name in result and dice.random() < 0.8:
                for other in needed:
                    result.setdefault(other, self.value(properties.get(other, {}), depth + 1))
        while len(result) < min(schema.get("minProperties", 0), 12):
            result[f"p{len(result)}"] = self.value(others if others is not False else {}, depth + 1)
        return result
