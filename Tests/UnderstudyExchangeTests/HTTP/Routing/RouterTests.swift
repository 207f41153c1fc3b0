import Testing
import UnderstudyMock

struct RouterTests {
  /// A routing as one line: `/pets/{petId} petId=a%2Fb`, `405 /pets`, `404`.
  static func outcome(_ router: Router, _ templates: [String], _ method: String, _ target: String) -> String {
    switch router.route(method, target) {
    case .match(let match):
      let bytes = Array(target.utf8)
      let values = match.captures.map { " \($0.name)=\(String(decoding: bytes[$0.range], as: UTF8.self))" }
      return templates[match.operation] + values.joined()
    case .wrongMethod(_, let operation, _): return "405 \(templates[operation])"
    case .notFound: return "404"
    }
  }

  static func outcome(_ templates: [String], _ target: String, basePaths: [String] = []) -> String {
    let entries = templates.enumerated().map {
      RouterEntry(operationIndex: $0.offset, method: "GET", template: $0.element, basePaths: basePaths)
    }
    return outcome(Router(entries), templates, "GET", target)
  }

  static let pets = ["/pets/{petId}", "/pets/mine", "/pets/{petId}/toys", "/{a}/mine", "/pets/{id}.json"]

  @Test(arguments: [
    ("/pets/mine", "/pets/mine"),
    ("/pets/%6Dine", "/pets/mine"),
    ("/pets/%6dine", "/pets/mine"),
    ("/pets/7.json", "/pets/{id}.json id=7"),
    ("/pets/a%2Fb", "/pets/{petId} petId=a%2Fb"),
    ("/cats/mine", "/{a}/mine a=cats"),
    ("/pets/", "404"),
    ("/pets//toys", "404"),
    ("/Pets/mine", "/{a}/mine a=Pets"),
    ("/pets/7/toys", "/pets/{petId}/toys petId=7"),
    ("/pets/.json", "/pets/{petId} petId=.json"),
    ("/pets/7%2Ejson", "/pets/{id}.json id=7"),
    ("/pets/mine?x=/pets/7", "/pets/mine"),
    ("/pets/7?a=b#c", "/pets/{petId} petId=7"),
    ("/pets/mine#top", "/pets/mine"),
    ("http://localhost:8080/pets/7?x", "/pets/{petId} petId=7"),
    ("http://localhost:8080", "404"),
    ("*", "404"), ("", "404"), ("/", "404"), ("//", "404"), ("pets/mine", "404"),
    ("/pets/mine/", "404"),
    ("/pets/../mine", "404"),
    ("/pets/%", "/pets/{petId} petId=%"),
  ])
  func `a path leads to the most concrete template`(target: String, outcome: String) {
    #expect(Self.outcome(Self.pets, target) == outcome)
  }

  @Test(arguments: [
    (["/a-{x}-{y}"], "/a-1-2-3", "/a-{x}-{y} x=1 y=2-3"),
    (["/a-{x}-{y}"], "/a--2", "404"),
    (["/users({id})"], "/users(7)", "/users({id}) id=7"),
    (["/users({id})"], "/users%287%29", "404"),  // %28 is reserved: not the same as `(`
    (["/{x}.{y}.txt"], "/a.b.c.txt", "/{x}.{y}.txt x=a y=b.c"),
    (["/{a}{b}"], "/xyz", "/{a}{b} a=x b=yz"),
    (["/{a}{b}"], "/x", "404"),
    (["/{x}2{y}"], "/a%2Fb", "404"),  // the 2 is half of a triplet
    (["/{x}2{y}"], "/a%2F2b", "/{x}2{y} x=a%2F y=b"),
    (["/{id}.json", "/v-{id}.json", "/{id}"], "/v-1.json", "/v-{id}.json id=1"),
    (["/{x}.a", "/b.{x}"], "/b.a", "/{x}.a x=b"),  // as many literal characters: declaration order
    (["/b.{x}", "/{x}.a"], "/b.a", "/b.{x} x=a"),
    (["/caf\u{E9}/{x}"], "/caf%c3%a9/1", "/caf\u{E9}/{x} x=1"),
    (["/caf\u{E9}/{x}"], "/caf\u{E9}/1", "/caf\u{E9}/{x} x=1"),
    (["/a b"], "/a%20b", "/a b"),
    (["/a{b"], "/a%7Bb", "/a{b"),
    (["/a/"], "/a", "404"), (["/a"], "/a/", "404"), (["/a", "/a/"], "/a/", "/a/"),
    (["/"], "/", "/"), (["/"], "", "404"), (["/{x}"], "/", "404"),
    (["/a//b"], "/a//b", "/a//b"),
    (["/a#one", "/a#two"], "/a", "/a#one"),  // no fragment is ever sent
    (["/{x}#one"], "/a", "/{x}#one x=a"),
    (["/{x}/b/{y}", "/a/{z}/c"], "/a/b/c", "/a/{z}/c z=b"),  // literal before variable, from the left
    (["/{x}/b", "/a/c"], "/a/b", "/{x}/b x=a"),  // and back again when that leads nowhere
  ])
  func `templates may be part of a segment`(templates: [String], target: String, outcome: String) {
    #expect(Self.outcome(templates, target) == outcome)
  }

  @Test func `the longest base path is tried first, and an operation may have several`() {
    let entries = [
      RouterEntry(operationIndex: 0, method: "GET", template: "/v1/{x}", basePaths: [""]),
      RouterEntry(operationIndex: 1, method: "GET", template: "/{y}", basePaths: ["/v1", "/api/v%31/"]),
    ]
    let router = Router(entries)
    let names = ["/v1/{x}", "/{y}"]
    #expect(Self.outcome(router, names, "GET", "/v1/7") == "/{y} y=7")
    #expect(Self.outcome(router, names, "GET", "/api/v1/7") == "/{y} y=7")
    #expect(Self.outcome(router, names, "GET", "/%61pi/v1/7") == "/{y} y=7")
    #expect(Self.outcome(router, names, "GET", "/v12/7") == "404")
    #expect(Self.outcome(Router([entries[0]]), names, "GET", "/v1/7") == "/v1/{x} x=7")
  }

  @Test func `the path decides before the method`() throws {
    let entries = [
      RouterEntry(operationIndex: 0, method: "GET", template: "/pets/mine"),
      RouterEntry(operationIndex: 1, method: "DELETE", template: "/pets/{id}"),
    ]
    guard case .wrongMethod(let allowed, let operation, let hint) = Router(entries).route("DELETE", "/pets/mine") else {
      Issue.record("expected 405")
      return
    }
    #expect(allowed == ["GET", "HEAD"])
    #expect(operation == 0)
    #expect(hint == "`/pets/{id}` has DELETE, but `/pets/mine` has precedence for this path")
    let lenient = Router(entries, fallsBackByMethod: true)
    #expect(Self.outcome(lenient, ["/pets/mine", "/pets/{id}"], "DELETE", "/pets/mine") == "/pets/{id} id=mine")
    #expect(Self.outcome(lenient, ["/pets/mine", "/pets/{id}"], "POST", "/pets/mine") == "405 /pets/mine")
  }

  @Test func `methods of one path shape may name its expressions differently`() {
    let entries = [
      RouterEntry(operationIndex: 0, method: "GET", template: "/pets/{id}"),
      RouterEntry(operationIndex: 1, method: "PUT", template: "/pets/{petId}"),
      RouterEntry(operationIndex: 2, method: "GET", template: "/pets/{again}"),
    ]
    let names = ["/pets/{id}", "/pets/{petId}", "/pets/{again}"]
    #expect(Self.outcome(Router(entries), names, "GET", "/pets/1") == "/pets/{id} id=1")
    #expect(Self.outcome(Router(entries), names, "PUT", "/pets/1") == "/pets/{petId} petId=1")
  }

  @Test func `HEAD falls back to GET, unless it is declared; methods are case-sensitive`() {
    let get = RouterEntry(operationIndex: 0, method: "GET", template: "/a")
    guard case .match(let match) = Router([get]).route("HEAD", "/a") else {
      Issue.record("expected a match")
      return
    }
    #expect(match.isHeadForGet)
    let head = RouterEntry(operationIndex: 1, method: "HEAD", template: "/a")
    guard case .match(let own) = Router([get, head]).route("HEAD", "/a") else {
      Issue.record("expected a match")
      return
    }
    #expect(own.operation == 1 && !own.isHeadForGet)
    #expect(Self.outcome(Router([get]), ["/a"], "get", "/a") == "405 /a")
  }

  @Test func `a thousand templates are distinguished, and hostile ones are bounded`() {
    let templates = (0..<1000).map { "/group\($0 % 50)/{id}/item\($0)/{part}" }
    for index in stride(from: 0, to: 1000, by: 37) {
      #expect(
        Self.outcome(templates, "/group\(index % 50)/a/item\(index)/b") == "\(templates[index]) id=a part=b")
    }
    #expect(Self.outcome([String(repeating: "/a", count: 100_000)], String(repeating: "/a", count: 100_000)) == "404")
    #expect(Self.outcome([], "/a") == "404")
  }
}
