import HTTPTypes
package import UnderstudyMock

/// An exchange without secrets, some of whose values look like some.
package struct Survivor: Sendable, CustomStringConvertible {
  package var title: String
  package var exchange: Exchange

  package var description: String { title }

  private static func json(_ title: String, _ body: String, status: Int = 200) -> Self {
    Self(
      title: title,
      exchange: Exchange(
        HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/items"), body: [],
        response: HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"]),
        responseBody: Array(body.utf8)))
  }

  private static func target(_ target: String) -> Self {
    Self(
      title: target, exchange: Exchange(HTTPRequest(method: .get, scheme: "http", authority: "h", path: target)))
  }

  private static func header(_ name: String, _ value: String) -> Self {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
    if let name = HTTPField.Name(name) { head.headerFields[name] = value }
    return Self(title: "\(name): \(value)", exchange: Exchange(head))
  }

  private static let image =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  package static let all: [Self] = [
    json("a number as an id", #"{"id": 4711, "user_id": "4711"}"#),
    json("a generated id", #"{"id": "x4YzQ0qkVfR2mJtUcP8hLwB1nSd2", "_id": "6371c1d83f5b9e27a0d4c811"}"#),
    json("to and from", #"{"to": "hT5wKq9ZrXb3NfUe7LmYc1VsDg42", "from": "x4YzQ0qkVfR2mJtUcP8hLwB1nSd2"}"#),
    json("ids in a list", #"{"reviewedBefore": ["hT5wKq9ZrXb3NfUe7LmYc1VsDg42"]}"#),
    json("names", #"{"name": "Ann Secret", "username": "password", "nick": "token"}"#),
    json(
      "a UUID",
      #"{"uuid": "123e4567-e89b-42d3-a456-426614174000", "ref": "urn:uuid:123e4567-e89b-42d3-a456-426614174000"}"#),
    json(
      "a commit",
      #"{"commit": "9fceb02d0ae598e95dc970b74767f19372d61af8", "parents": ["1a410efbd13591db07496601ebc7a059dd55cfe9"]}"#
    ),
    json(
      "a digest",
      #"{"sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "md5": "d41d8cd98f00b204e9800998ecf8427e"}"#
    ),
    json(
      "a digest in base64",
      #"{"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="}"#
    ),
    json("an image", #"{"logo": "\#(image)", "src": "data:image/png;base64,\#(image)"}"#),
    json("dates", #"{"createdAt": "2022-11-14T04:19:36.784Z", "date": "2024-02-29", "epoch": 1700000000123}"#),
    json("an e-mail address and a phone number", #"{"email": "dotori@example.com", "phoneNumber": "+821012345678"}"#),
    json("colors", ##"{"color": "#ff8800", "background": "rgba(255, 136, 0, 0.5)"}"##),
    json("URLs", #"{"url": "https://api.example.com/v1/items/42?page=2&sort=name#top", "href": "/a/b"}"#),
    json(
      "a long word", #"{"word": "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"}"#),
    json("a class in camel case", #"{"type": "org.springframework.web.HttpMediaTypeNotAcceptableException2"}"#),
    json(
      "a slug", #"{"slug": "My-Long-Blog-Post-About-Swift-6-2-And-Macros-2026", "file": "IMG_20240229_123456_HDR.jpg"}"#
    ),
    json("keys of other kinds", #"{"key": "PROJ-1234", "sortKey": "createdAt", "i18nKey": "error.notFound"}"#),
    json("codes", #"{"code": "E1234", "countryCode": "DE", "statusCode": 404, "error_code": "invalid_grant"}"#),
    json("pairs of words", #"[["cookie", "chocolate"], ["token", "wooden"]]"#),
    json("counts of tokens", #"{"max_tokens": 4096, "usage": {"prompt_tokens": 12, "total_tokens": 77}}"#),
    json(
      "cursors",
      #"{"nextPageToken": "CAoQAA9fKx2LmQ8vRt4ZpW7yBn3HsD6jGc", "next_token": "abc123", "cursor": "eyJpZCI6NDcxMX0="}"#),
    json("kinds of tokens", #"{"token_type": "Bearer", "tokenId": "t1", "expires_in": 3600}"#),
    json("errors of a form", #"{"errors": {"password": ["is too short"], "token": "can't be blank"}}"#, status: 422),
    json("null, true and empty", #"{"password": null, "token": true, "secret": "", "apiKey": []}"#),
    json("the required members of a schema", #"{"required": ["password", "email"]}"#),
    json(
      "texts about fields",
      #"[{"key": "password", "value": "Must be at least 8 characters"}, {"name": "Board Token", "value": "red"}]"#),
    json("pairs of names and values", #"{"fields": [{"name": "city", "value": "Seoul"}], "sizes": [["width", "10"]]}"#),
    json("an encoded URL", #"{"next": "https%3A%2F%2Fh.example%2Fitems%3Fpage%3D2%26sort%3Dname"}"#),
    json("coordinates and prices", #"{"lat": 37.517819, "long": 126.886557, "price": "1299.00"}"#),
    json("text", #"{"chat": "Please enter your password: it is required. Basic training, bearer of news."}"#),
    json("Korean text", #"{"comment": "시간 약속을 정말 잘 지켜요"}"#),
    json("a version", #"{"version": "1.24.0-beta.3+build.20240229", "agent": "curl/7.88.1"}"#),
    json(
      "an IP address",
      #"{"ip": "2001:0db8:85a3:0000:0000:8a2e:0370:7334", "host": "ip-10-0-12-34.eu-west-1.compute.internal"}"#),
    json(
      "a public key",
      #"{"publicKey": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9q9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg=="}"#
    ),
    json(
      "a name of an ARN",
      #"{"arn": "arn:aws:iam::123456789012:role/service-role/MyRole", "bucket": "my-bucket-prod-2024"}"#),
    json("an ISBN and an IBAN", #"{"isbn": "978-3-16-148410-0", "iban": "DE89370400440532013000"}"#),
    json("a ULID", #"{"ulid": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "order": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}"#),
    json(
      "variables without secrets", #"{"Env": ["PATH=/usr/bin:/bin", "HOME=/root", "PWD=/srv/app", "LANG=en_US.UTF-8"]}"#
    ),
    json("MIME types", #"{"accept": "application/vnd.github.v3+json", "x": "text/html; charset=utf-8"}"#),
    json(
      "words that end like names of secrets",
      #"{"shipping": "standard-77x", "design": "d3sign-alpha", "spin": "4821", "assassin": "creed-1234", "pins": "1234"}"#
    ),
    json("pins that are no numbers", #"{"pin": "red-marker", "gpio": {"pin": 13}, "mapPin": "office-2"}"#),
    json("states of passwords", #"{"passwordPolicy": "strict-2024", "passwordChangedAt": "2024-02-29T10:00:00Z"}"#),
    json("a regular expression", #"{"pattern": "^[A-Za-z0-9+/]{32,}={0,2}$"}"#),
    json("a base64 text", #"{"content": "SGVsbG8gd29ybGQsIHRoaXMgaXMgcGxhaW4gdGV4dA=="}"#),
    target("/v1/chat/hT5wKq9ZrXb3NfUe7LmYc1VsDg42?lastchatDate=2022-11-16T06:55:54.784Z"),
    target("/items?page=2&per_page=50&sort=-createdAt&q=token"), target("/map?code=DE&key=color"),
    target("/users/123e4567-e89b-42d3-a456-426614174000/files/report-2024.pdf"),
    target("/x?__code=404&status=available"), target("/counters/4711/reset/2024-02-29"),
    target("/counter/reset/step-2b"), target("/services/catalog/v2/items-2024a"), target("/robots/bot42/items-2024a"),
    target("/password/policies"), target("/triggers/T1/runs/build-4711"),
    header("X-Request-Id", "123e4567-e89b-42d3-a456-426614174000"),
    header("If-None-Match", #""9fKx2LmQ8vRt4ZpW7yBn3HsD6jGc1TfE""#),
    header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
    header("Idempotency-Key", "9fKx2LmQ8vRt4ZpW7yBn3HsD6jGc1TfE"),
    header(
      "User-Agent",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15"
    ),
    header("WWW-Authenticate", #"Bearer realm="api", error="invalid_token""#),
    header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    header("Sec-WebSocket-Protocol", "v1.kernel.websocket.jupyter.org, graphql-transport-ws"),
    header("Accept-Language", "en-GB,en;q=0.9"),
  ]
}
