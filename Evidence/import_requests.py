"""Requests that match stubs of other tools, and the responses that the stubs document."""

import base64
import json
import re
import sre_parse
import urllib.parse


class Unknown(Exception):
    """A stub for which no request can be made; its text is the feature."""


def sample(pattern):
    """A string that a regular expression matches as a whole."""
    try:
        text = "".join(part(item) for item in sre_parse.parse(pattern))
    except (re.error, Unknown, OverflowError):
        raise Unknown("expression") from None
    if not re.fullmatch(pattern, text):
        raise Unknown("expression")
    return text


def part(item):
    name, value = str(item[0]), item[1]
    if name == "LITERAL":
        return chr(value)
    if name == "NOT_LITERAL":
        return "a" if value != 97 else "b"
    if name == "ANY":
        return "a"
    if name == "AT":
        return ""
    if name == "IN":
        return one_of(value)
    if name in ("MAX_REPEAT", "MIN_REPEAT"):
        least, _, inner = value
        return "".join("".join(part(i) for i in inner) for _ in range(least or 1))
    if name == "SUBPATTERN":
        return "".join(part(i) for i in value[3])
    if name == "BRANCH":
        return "".join(part(i) for i in value[1][0])
    if name == "ASSERT" or name == "ASSERT_NOT":
        return ""
    raise Unknown("expression")


def one_of(items):
    if str(items[0][0]) == "NEGATE":
        for letter in "a1-_ ":
            if re.fullmatch("[^" + "".join(chr(i[1]) for i in items[1:] if str(i[0]) == "LITERAL") + "]", letter):
                return letter
        raise Unknown("expression")
    name, value = str(items[0][0]), items[0][1]
    if name == "LITERAL":
        return chr(value)
    if name == "RANGE":
        return chr(value[0])
    return {"CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " ", "CATEGORY_NOT_SPACE": "a",
            "CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_WORD": "-"}[str(value)]


class Request:
    def __init__(self, method="GET", path="/"):
        self.method, self.path, self.query, self.headers, self.body = method, path, [], {}, None

    @property
    def target(self):
        query = self.query if isinstance(self.query, str) else urllib.parse.urlencode(self.query)
        return urllib.parse.quote(self.path, safe="/%:@!$&'()*+,;=~-._") + ("?" + query if query else "")


class Expected:
    """The documented response; `body` is None where it depends on the request or on chance."""

    def __init__(self, status, headers, body, closes=False):
        self.status, self.headers, self.body, self.closes = status, headers, body, closes


def is_template(text):
    return isinstance(text, str) and "{{" in text


# WireMock


def wiremock(document, read_file):
    mappings = document if isinstance(document, list) else document.get("mappings", [document])
    for mapping in mappings:
        yield mapping, (lambda m=mapping: wiremock_exchange(m, read_file))


def value_of(matcher):
    if not isinstance(matcher, dict):
        return str(matcher)
    for key, value in matcher.items():
        if key in ("equalTo", "contains"):
            return value
        if key == "matches":
            return sample(value)
        if key == "absent":
            return None
        if key in ("doesNotMatch", "doesNotContain", "not"):
            return None
        if key == "anything":
            return "a"
        if key == "and":
            values = [v for v in map(value_of, value) if v is not None]
            return max(values, key=len) if values else None
        if key == "or":
            return value_of(value[0])
        if key in ("hasExactly", "includes"):
            return [value_of(v) for v in value]
    raise Unknown("matcher " + next(iter(matcher), ""))


def json_of_path(path):
    match = re.fullmatch(r"\$((?:\.\w+)+)", path)
    if match:
        names = match.group(1)[1:].split(".")
        return lambda value: nested(names, value)
    match = re.fullmatch(r"\$\.\.?(\w+)\[\?\((.*)\)\]", path)
    if match:
        fields = {}
        for name, literal in re.findall(r"@\.(\w+)\s*==\s*('[^']*'|\d+)", match.group(2)):
            fields[name] = literal[1:-1] if literal[0] == "'" else int(literal)
        for name, pattern in re.findall(r"@\.(\w+)\s*=~\s*/(.*?)/", match.group(2)):
            fields[name] = sample(pattern)
        if fields:
            return lambda value: {match.group(1): [fields]}
    match = re.fullmatch(r"\$\.\.(\w+)", path)
    if match:
        return lambda value: {match.group(1): value}
    raise Unknown("JSONPath " + path)


def nested(names, value):
    for name in reversed(names):
        value = {name: value}
    return value


def merge(first, second):
    if isinstance(first, dict) and isinstance(second, dict):
        merged = dict(first)
        for key, value in second.items():
            merged[key] = merge(merged[key], value) if key in merged else value
        return merged
    return second


def xml_of_path(path, value="a"):
    match = re.fullmatch(r"(/{1,2}[\w:/]+?)(?:/text\(\))?(?:\[(.*)\])?", path)
    if not match:
        raise Unknown("XPath")
    names = [n.split(":")[-1] for n in match.group(1).strip("/").split("/") if n]
    predicate = match.group(2) or ""
    attribute, text = "", value
    found = re.fullmatch(r"@(\w+)\s*=\s*['\"](.*)['\"]", predicate)
    if found:
        attribute = f' {found.group(1)}="{found.group(2)}"'
    found = re.fullmatch(r"text\(\)\s*=\s*['\"](.*)['\"]", predicate)
    if found:
        text = found.group(1)
    xml = text
    for index, name in enumerate(reversed(names)):
        xml = f"<{name}{attribute if index == 0 else ''}>{xml}</{name}>"
    return xml


def wiremock_body(patterns, request):
    document, text, kind = None, None, "text/plain"
    for pattern in patterns:
        key = next((k for k in pattern if k not in ("ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive",
                                                    "schemaVersion", "xPathNamespaces", "enablePlaceholders")), "")
        value = pattern.get(key)
        if key == "equalToJson":
            value = json.loads(value) if isinstance(value, str) else value
            document, kind = merge(document, placeholders(value)), "application/json"
        elif key == "matchesJsonPath":
            kind = "application/json"
            if isinstance(value, dict):
                inner = {k: v for k, v in value.items() if k != "expression"}
                if "equalToJson" in inner:
                    leaf = json.loads(inner["equalToJson"]) if isinstance(inner["equalToJson"], str) else inner["equalToJson"]
                else:
                    leaf = value_of(inner)
                if leaf is not None:
                    document = merge(document, json_of_path(value["expression"])(leaf))
            else:
                document = merge(document, json_of_path(value)("a"))
        elif key == "matchesJsonSchema":
            document, kind = from_schema(json.loads(value) if isinstance(value, str) else value), "application/json"
        elif key == "matchesXPath":
            kind = "application/xml"
            if isinstance(value, dict):
                text = xml_of_path(value["expression"], value_of({k: v for k, v in value.items() if k != "expression"}))
            else:
                text = xml_of_path(value)
        elif key in ("equalTo", "contains", "matches", "doesNotMatch", "doesNotContain", "and", "or"):
            found = value_of(pattern)
            text = found if found is not None else (text or "text")
        elif key == "absent":
            pass
        else:
            raise Unknown("body " + key)
    if document is not None:
        request.body = json.dumps(document).encode()
    elif text is not None:
        request.body = text.encode()
        if text[:1] in "{[" and kind == "text/plain":
            kind = "application/json"
    if request.body is not None:
        request.headers.setdefault("Content-Type", kind)


def placeholders(value):
    if isinstance(value, dict):
        return {k: placeholders(v) for k, v in value.items()}
    if isinstance(value, list):
        return [placeholders(v) for v in value]
    if isinstance(value, str) and "json-unit" in value:
        return {"any-number": 1, "any-boolean": True}.get(value[12:-1], "text")
    return value


def from_schema(schema):
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object" or "properties" in schema:
        return {k: from_schema(v) for k, v in schema.get("properties", {}).items()}
    if kind == "array":
        return [from_schema(schema.get("items", {}))] * max(1, schema.get("minItems", 1))
    if kind in ("integer", "number"):
        return max(1, int(schema.get("minimum", 1)))
    if kind == "string":
        return sample(schema["pattern"]) if "pattern" in schema else "a" * max(1, schema.get("minLength", 1))
    return True


def wiremock_exchange(mapping, read_file):
    theirs, response = mapping["request"], mapping["response"]
    if "proxyBaseUrl" in response:
        raise Unknown("proxy")
    request = Request(theirs.get("method", "GET"))
    if request.method == "ANY":
        request.method = "GET"
    if "url" in theirs:
        parts = theirs["url"].split("?", 1)
        request.path, request.query = parts[0], parts[1] if len(parts) > 1 else []
    elif "urlPath" in theirs:
        request.path = theirs["urlPath"]
    elif "urlPathTemplate" in theirs:
        parameters = {k: value_of(v) for k, v in theirs.get("pathParameters", {}).items()}
        request.path = re.sub(r"\{(\w+)\}", lambda m: parameters.get(m.group(1)) or "7", theirs["urlPathTemplate"])
    elif "urlPathPattern" in theirs:
        request.path = sample(theirs["urlPathPattern"])
    elif "urlPattern" in theirs:
        parts = sample(theirs["urlPattern"]).split("?", 1)
        request.path, request.query = parts[0], parts[1] if len(parts) > 1 else []
    if not request.path.startswith("/"):
        request.path = "/" + request.path
    for name, matcher in theirs.get("queryParameters", {}).items():
        value = value_of(matcher)
        for item in value if isinstance(value, list) else [value]:
            if item is not None:
                request.query = list(request.query or []) + [(name, item)]
    for name, matcher in theirs.get("headers", {}).items():
        value = value_of(matcher)
        if value is not None:
            request.headers[name] = value if isinstance(value, str) else ", ".join(value)
    cookies = {k: value_of(v) for k, v in theirs.get("cookies", {}).items()}
    cookies = {k: v for k, v in cookies.items() if v is not None}
    if cookies:
        request.headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in cookies.items())
    auth = theirs.get("basicAuthCredentials") or theirs.get("basicAuth")
    if auth:
        token = base64.b64encode(f"{auth['username']}:{auth['password']}".encode()).decode()
        request.headers["Authorization"] = "Basic " + token
    form = {k: value_of(v) for k, v in theirs.get("formParameters", {}).items()}
    if form:
        request.body = urllib.parse.urlencode({k: v for k, v in form.items() if v is not None}, doseq=True).encode()
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    wiremock_body(theirs.get("bodyPatterns", []), request)
    if theirs.get("multipartPatterns"):
        multipart(theirs["multipartPatterns"], request)
    if mapping.get("requiredScenarioState", "Started") != "Started":
        raise Unknown("state")
    if theirs.get("customMatcher"):
        raise Unknown("customMatcher")
    body = response.get("body")
    if "jsonBody" in response:
        body = json.dumps(response["jsonBody"])
    elif "base64Body" in response:
        body = base64.b64decode(response["base64Body"])
    elif "bodyFileName" in response:
        if is_template(response["bodyFileName"]):
            raise Unknown("templated file name")
        body = read_file(response["bodyFileName"])
    fills = "response-template" in response.get("transformers", [])
    headers = {k: v for k, v in response.get("headers", {}).items() if not (fills and is_template(str(v)))}
    if fills and is_template(body if isinstance(body, str) else str(body)):
        body = None
    elif body is None:
        body = ""
    closes = response.get("fault") is not None
    return request, Expected(response.get("status", 200), headers, body, closes)


def multipart(patterns, request):
    boundary = "----boundary"
    parts = []
    for pattern in patterns:
        headers = {k.lower(): v for k, v in pattern.get("headers", {}).items()}
        name = pattern.get("name")
        if "content-disposition" in headers:
            name = re.search(r'name="?([^"]*)', headers["content-disposition"].get("contains", "")).group(1)
        kind = value_of(headers["content-type"]) if "content-type" in headers else "text/plain"
        inner = Request()
        wiremock_body(pattern.get("bodyPatterns", []), inner)
        text = (inner.body or b"text").decode()
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="a.txt"\r\n'
                     f"Content-Type: {kind}\r\n\r\n{text}\r\n")
    request.body = ("".join(parts) + f"--{boundary}--\r\n").encode()
    request.headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"


# Mockoon


def mockoon(document, read_file):
    buckets = {b.get("id"): b for b in document.get("data", [])}
    for route in document["routes"]:
        responses = route["responses"]
        default = next((r for r in responses if r.get("default")), responses[0] if responses else None)
        for response in responses:
            yield response, (lambda r=response, d=default, t=route: mockoon_exchange(document, t, r, d, read_file, buckets))


def mockoon_exchange(document, route, response, default, read_file, buckets):
    if route.get("type", "http") != "http":
        raise Unknown(route["type"])
    if route.get("responseMode"):
        raise Unknown("response mode " + route["responseMode"])
    prefix = document.get("endpointPrefix", "")
    path = "/".join(p.strip("/") for p in (prefix, route["endpoint"]) if p.strip("/"))
    if re.search(r"[()*+?#]", path):
        raise Unknown("endpoint")
    request = Request(route["method"].upper() if route["method"] not in ("all", "") else "GET")
    path = re.sub(r":(\w+)", "7", path)
    request.path = "/" + path
    if response is not default:
        if not response.get("rules"):
            raise Unknown("response on request")
        rules = response["rules"] if response.get("rulesOperator") == "AND" else response["rules"][:1]
        for rule in rules:
            mockoon_rule(rule, request, route, prefix)
    body = response.get("body", "")
    if response.get("bodyType") == "DATABUCKET":
        body = buckets[response["databucketID"]]["value"]
    elif response.get("bodyType") == "FILE" or response.get("filePath"):
        body = read_file(response["filePath"])
    headers = {h["key"]: h["value"] for h in response.get("headers", []) if h["key"] and not is_template(h["value"])}
    if is_template(body) and not response.get("disableTemplating"):
        body = None
    return request, Expected(int(response["statusCode"]), headers, body)


def mockoon_rule(rule, request, route, prefix):
    if rule.get("invert") or rule["operator"] not in ("equals", "regex", "array_includes"):
        raise Unknown("rule")
    value = sample(rule["value"].strip("^$")) if rule["operator"] == "regex" else rule["value"]
    name = rule["modifier"]
    if rule["target"] == "query":
        steps = name.split(".")
        request.query = list(request.query) + [(steps[0] + "".join(f"[{s}]" for s in steps[1:]), value)]
    elif rule["target"] == "header":
        request.headers[name] = value
    elif rule["target"] == "cookie":
        request.headers["Cookie"] = f"{name}={value}"
    elif rule["target"] == "params":
        full = "/".join(p.strip("/") for p in (prefix, route["endpoint"]) if p.strip("/"))
        request.path = "/" + re.sub(r":(\w+)", lambda m: value if m.group(1) == name else "7", full)
    elif rule["target"] == "body" and name and "$" not in name and "/" not in name:
        document = nested(name.split("."), value)
        if any(step.isdigit() for step in name.split(".")):
            raise Unknown("rule")
        request.body = json.dumps(merge(json.loads(request.body) if request.body else {}, document)).encode()
        request.headers["Content-Type"] = "application/json"
        if request.method == "GET":
            raise Unknown("body of GET")
    elif rule["target"] == "body" and not name:
        request.body = value.encode()
        request.headers["Content-Type"] = "text/plain"
    else:
        raise Unknown("rule " + rule["target"])


# Postman


def postman(document, read_file):
    document = document.get("collection", document)
    seen = set()

    def items(list):
        for item in list:
            if "item" in item:
                yield from items(item["item"])
            elif item.get("response"):
                for response in item["response"]:
                    if isinstance(response, dict):
                        yield item, response
            elif "request" in item:
                yield item, None

    for item, response in items(document.get("item", [])):
        yield item, (lambda i=item, r=response: postman_exchange(document, i, r, seen))


def postman_exchange(document, item, response, seen):
    if response is None:
        raise Unknown("request without a saved response")
    theirs = response.get("originalRequest") or item["request"]
    if isinstance(theirs, str):
        theirs = {"url": theirs}
    url = theirs.get("url") or (item["request"].get("url") if isinstance(item["request"], dict) else item["request"])
    variables = {v.get("key"): str(v.get("value", "")) for v in document.get("variable", [])}
    request = Request(theirs.get("method", "GET"))
    query = []
    if isinstance(url, dict) and "path" in url:
        path = url["path"] if isinstance(url["path"], list) else url["path"].split("/")
        segments = [s if isinstance(s, str) else s.get("value", "") for s in path if s]
        query = [(q["key"], q["value"]) for q in url.get("query", []) or []
                 if q.get("key") and q.get("value") and not q.get("disabled") and not is_template(q["value"])]
    else:
        raw = url["raw"] if isinstance(url, dict) else url
        rest = re.sub(r"^[a-z]+://", "", raw.split("?")[0])
        segments = [s for s in rest.split("/")[1:] if s]
        query = urllib.parse.parse_qsl(raw.split("?", 1)[1]) if "?" in raw else []
    for name, value in variables.items():
        segments = [s.replace("{{%s}}" % name, value) for s in segments]
    request.path = "/" + "/".join("7" if s.startswith(":") or s.startswith("{{") else s for s in segments)
    request.query = query
    body = theirs.get("body") or {}
    if body.get("mode") == "raw" and body.get("raw"):
        request.body = body["raw"].encode()
        try:
            json.loads(body["raw"])
            request.headers["Content-Type"] = "application/json"
        except ValueError:
            request.headers["Content-Type"] = "text/plain"
    elif body.get("mode") == "urlencoded":
        request.body = urllib.parse.urlencode([(f["key"], f.get("value") or "") for f in body["urlencoded"] or []]).encode()
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    key = (request.method, request.target, request.body)
    if key in seen:
        raise Unknown("a second example of one request")
    seen.add(key)
    headers = {h["key"]: h["value"] for h in response.get("header") or [] if isinstance(h, dict)}
    return request, Expected(response.get("code", 200), headers, response.get("body") or "")


# MockServer


def mockserver(document, read_file):
    for expectation in document if isinstance(document, list) else [document]:
        yield expectation, (lambda e=expectation: mockserver_exchange(e))


def named(values):
    if isinstance(values, list):
        return [(v["name"], v.get("values", [])) for v in values]
    return [(k, v if isinstance(v, list) else [v]) for k, v in (values or {}).items()]


def text_of(value):
    if not isinstance(value, str):
        raise Unknown("schema matcher")
    if value.startswith("!"):
        raise Unknown("negated value")
    return sample(value) if re.search(r"[*+?\[\]()|^$\\]", value) else value


def mockserver_exchange(expectation):
    if "httpResponse" not in expectation and "httpError" not in expectation:
        raise Unknown(next(k for k in expectation if k.startswith("http") and k != "httpRequest"))
    theirs = expectation["httpRequest"]
    request = Request(theirs.get("method", "GET"), text_of(theirs.get("path", "/a")))
    for name, values in named(theirs.get("pathParameters")):
        request.path = request.path.replace("{%s}" % name, text_of(values[0]))
    for name, values in named(theirs.get("queryStringParameters")):
        request.query = list(request.query) + [(name, text_of(v)) for v in values]
    for name, values in named(theirs.get("headers")):
        request.headers[name] = ", ".join(text_of(v) for v in values)
    cookies = [(n, text_of(v[0])) for n, v in named(theirs.get("cookies"))]
    if cookies:
        request.headers["Cookie"] = "; ".join(f"{n}={v}" for n, v in cookies)
    if "body" in theirs:
        mockserver_body(theirs["body"], request)
    response = expectation.get("httpResponse", {})
    body = response.get("body", "")
    if isinstance(body, dict):
        body = body.get("string", json.dumps(body.get("json", body)))
    headers = {n: v[0] for n, v in named(response.get("headers")) if v}
    return request, Expected(response.get("statusCode", 200), headers, body, "httpError" in expectation)


def mockserver_body(body, request):
    if isinstance(body, str):
        request.body = text_of(body).encode()
        request.headers.setdefault("Content-Type", "text/plain")
        return
    kind = body.get("type")
    if kind == "STRING" or "string" in body:
        request.body = body["string"].encode()
    elif kind == "REGEX":
        request.body = sample(body["regex"]).encode()
    elif kind == "JSON" or kind is None:
        value = body.get("json", body)
        request.body = (value if isinstance(value, str) else json.dumps(value)).encode()
        request.headers.setdefault("Content-Type", "application/json")
        return
    elif kind == "PARAMETERS":
        pairs = [(n, text_of(v)) for n, values in named(body["parameters"]) for v in values]
        request.body = urllib.parse.urlencode(pairs).encode()
        request.headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        return
    elif kind == "XPATH":
        request.body = xml_of_path(body["xpath"]).encode()
        request.headers.setdefault("Content-Type", "application/xml")
        return
    elif kind == "JSON_SCHEMA":
        schema = body["jsonSchema"]
        request.body = json.dumps(from_schema(json.loads(schema) if isinstance(schema, str) else schema)).encode()
        request.headers.setdefault("Content-Type", "application/json")
        return
    else:
        raise Unknown("body " + kind)
    request.headers.setdefault("Content-Type", "text/plain")


# Pact


def pact(document, read_file):
    seen = set()
    for message in document.get("messages", []):
        yield message, (lambda: fail("message"))
    for interaction in document.get("interactions", []):
        yield interaction, (lambda i=interaction: pact_exchange(i, seen))


def fail(feature):
    raise Unknown(feature)


def pact_exchange(interaction, seen):
    if interaction.get("type", "Synchronous/HTTP") != "Synchronous/HTTP":
        raise Unknown("message")
    theirs, response = interaction["request"], interaction["response"]
    request = Request(theirs.get("method", "GET").upper(), theirs["path"])
    query = theirs.get("query") or []
    if isinstance(query, dict):
        query = [(k, v) for k, values in query.items() for v in (values if isinstance(values, list) else [values])]
    request.query = query
    for name, value in (theirs.get("headers") or {}).items():
        request.headers[name] = value if isinstance(value, str) else ", ".join(map(str, value))
    request.body = pact_body(theirs.get("body"), request.headers)
    key = (request.method, request.target, request.body, str(request.headers))
    if key in seen:
        raise Unknown("a second state of one request")
    seen.add(key)
    headers = {k: v if isinstance(v, str) else v[0] for k, v in (response.get("headers") or {}).items()}
    body = pact_body(response.get("body"), {})
    return request, Expected(response.get("status", 200), headers, body if body is not None else "")


def pact_body(body, headers):
    if body is None or body == {"content": None}:
        return None
    if isinstance(body, dict) and "content" in body and "contentType" in body:
        headers.setdefault("Content-Type", body["contentType"])
        content = body["content"]
        if content is None:
            return None
        if isinstance(content, str) and str(body.get("encoded", "")).lower() == "base64":
            return base64.b64decode(content)
        return content.encode() if isinstance(content, str) and "json" not in body["contentType"] else json.dumps(content).encode()
    if isinstance(body, str):
        headers.setdefault("Content-Type", "text/plain")
        return body.encode()
    headers.setdefault("Content-Type", "application/json")
    return json.dumps(body).encode()


# Hoverfly


def hoverfly(document, read_file):
    for pair in document["data"]["pairs"]:
        yield pair, (lambda p=pair: hoverfly_exchange(p, read_file))


def hoverfly_value(matchers):
    if len(matchers) != 1:
        raise Unknown("several matchers")
    kind, value = matchers[0]["matcher"], matchers[0]["value"]
    if kind in ("exact", "json", "jsonPartial", "xml"):
        return value if isinstance(value, str) else json.dumps(value)
    if kind == "glob":
        return value.replace("*", "a")
    if kind == "regex":
        return sample(value.strip("^$"))
    raise Unknown("matcher " + kind)


def hoverfly_exchange(pair, read_file):
    theirs, response = pair["request"], pair["response"]
    if theirs.get("requiresState"):
        raise Unknown("state")
    request = Request(hoverfly_value(theirs["method"]) if theirs.get("method") else "GET")
    request.path = hoverfly_value(theirs["path"]) if theirs.get("path") else "/"
    for name, matchers in (theirs.get("query") or {}).items():
        request.query = list(request.query) + [(name, hoverfly_value(matchers))]
    for name, matchers in (theirs.get("headers") or {}).items():
        request.headers[name] = hoverfly_value(matchers)
    if theirs.get("body"):
        text = hoverfly_value(theirs["body"])
        if text:
            request.body = text.encode()
            request.headers.setdefault("Content-Type", "application/json" if text[0] in "{[" else "text/plain")
    body = response.get("body", "")
    if response.get("bodyFile"):
        body = read_file(response["bodyFile"])
    if response.get("encodedBody"):
        body = base64.b64decode(body)
    if response.get("templated") and is_template(body):
        body = None
    headers = {k: v[0] for k, v in (response.get("headers") or {}).items() if v}
    return request, Expected(response.get("status", 200), headers, body)
