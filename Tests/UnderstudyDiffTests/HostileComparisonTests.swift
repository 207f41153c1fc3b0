import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// Schemas that would cost too much, or recurse too deep, if the comparison had no limits.
@Suite struct HostileComparisonTests {
  /// Two versions of the component `Root`, and the rules of the differences of a request.
  private static func rules(_ old: [String: String], _ new: [String: String]) throws -> Set<String> {
    func text(_ components: [String: String]) -> String {
      """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      paths:
        /a: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Root"}}}}, responses: {}}}
      components: {schemas: {\(components.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}}
      """
    }
    let changes = try DiffRuleTests.changes(text(old), text(new))
    return Set(changes.map(\.diagnostic.rule.id).filter { $0 != "diff.request.widened" })
  }

  private static func rules(_ old: String, _ new: String) throws -> Set<String> {
    try rules(["Root": old], ["Root": new])
  }

  private static func reference(_ name: String) -> String { "{$ref: \"#/components/schemas/\(name)\"}" }

  @Test func `objects four hundred levels deep end in an undecided difference`() throws {
    func nested(_ leaf: String) -> String {
      (0..<400).reduce(leaf) { inner, _ in "{type: object, required: [p], properties: {p: \(inner)}}" }
    }
    #expect(try Self.rules(nested("{type: string}"), nested("{type: integer}")) == ["diff.request.undecided"])
  }

  @Test func `a graph of schemas that all refer to each other is compared`() throws {
    func graph(_ limit: String) -> [String: String] {
      let names = ["Root"] + (1..<40).map { "S\($0)" }
      let references = names.map { "\($0): \(Self.reference($0))" }.joined(separator: ", ")
      return Dictionary(
        uniqueKeysWithValues: names.map { name in
          (name, "{type: object, properties: {\(references), v: {type: integer\(name == "S39" ? limit : "")}}}")
        })
    }
    #expect(try Self.rules(graph(""), graph(", minimum: 3")) == ["diff.request.range"])
    #expect(try Self.rules(graph(""), graph("")) == [])
  }

  @Test func `a difference whose values cost too much to find is undecided`() throws {
    func object(_ count: Int, _ type: String) -> String {
      let names = (0..<count).map { "m\($0)" }
      let members = names.map { "\($0): {type: integer}" }.joined(separator: ", ")
      let required = names.joined(separator: ", ")
      return "{type: object, required: [\(required), last], properties: {\(members), last: \(type)}}"
    }
    let (wide, narrow) = ("{type: string}", "{type: string, maxLength: 3}")
    #expect(try Self.rules(object(100, wide), object(100, narrow)) == ["diff.request.length"])
    #expect(try Self.rules(object(3_000, wide), object(3_000, narrow)) == ["diff.request.undecided"])
  }

  @Test func `alternatives beyond a limit are undecided`() throws {
    func product(_ more: String) -> String {
      let parts = (0..<30).map { "{anyOf: [{required: [a\($0)]}, {required: [b\($0)]\(more)}]}" }
      return "{type: object, allOf: [\(parts.joined(separator: ", "))]}"
    }
    #expect(try Self.rules(product(""), product(", maxProperties: 99")) == ["diff.request.undecided"])
  }

  @Test func `each of two hundred tagged alternatives is compared with its counterpart`() throws {
    func union(_ limit: String) -> String {
      let branches = (0..<200).map {
        "{type: object, required: [k], properties: {k: {const: \($0)}, v: {type: string\($0 == 150 ? limit : "")}}}"
      }
      return "{oneOf: [\(branches.joined(separator: ", "))]}"
    }
    #expect(try Self.rules(union(""), union(", maxLength: 5")) == ["diff.request.length"])
  }

  @Test func `an alternative of itself is never taken for every value`() throws {
    let old = [
      "Root": "{anyOf: [\(Self.reference("B")), {type: string}]}",
      "B": "{anyOf: [\(Self.reference("Root")), {type: integer}]}",
    ]
    let new = ["Root": old["Root"] ?? "", "B": "{anyOf: [\(Self.reference("Root")), {type: boolean}]}"]
    #expect(try !Self.rules(old, new).isEmpty)
  }

  @Test(arguments: [
    ("^(a+)+$", "^(a|aa)+$", [String]()),
    ("^[ab]*a[ab]{40}$", "^[ab]*a[ab]{41}$", ["diff.request.pattern"]),
    ("((((a{0,2000}){0,2000}){0,2000}){0,2000})b", "((((){2000}){2000}){2000}){2000}c", ["diff.request.undecided"]),
    ("^(?=(a+)+$).*", "^(?=(a+)+b).*", ["diff.request.pattern"]),
  ])
  func `patterns that explode are compared within a limit`(_ old: String, _ new: String, _ rules: [String]) throws {
    let found = try Self.rules("{type: string, pattern: \"\(old)\"}", "{type: string, pattern: \"\(new)\"}")
    #expect(found == Set(rules) || found == ["diff.request.undecided"])
  }

  @Test func `a value that the engine cannot judge is undecided`() throws {
    let value = String(repeating: "a", count: 40) + "!"
    #expect(
      try Self.rules("{enum: [\"\(value)\"]}", "{type: string, pattern: \"^(a+)+$\"}") == ["diff.request.undecided"])
  }

  @Test func `objects with thousands of properties are compared`() throws {
    func wide(_ type: String) -> String {
      "{type: object, properties: {\((0..<3_000).map { "p\($0): {type: \(type)}" }.joined(separator: ", "))}}"
    }
    #expect(try Self.rules(wide("string"), wide("integer")) == ["diff.request.type"])
  }

  @Test func `long lists of values are compared`() throws {
    func list(_ first: Int) -> String {
      "{enum: [\((first..<first + 20_000).map { "v\($0)" }.joined(separator: ", "))]}"
    }
    #expect(try Self.rules(list(0), list(1)) == ["diff.request.enum"])
  }
}
