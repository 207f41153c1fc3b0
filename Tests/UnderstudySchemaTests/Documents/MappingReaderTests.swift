import Testing
import UnderstudySchema
import UnderstudyText

struct MappingReaderTests {
  private static let invalid = Rule("test.invalid", .error, owner: .fixture, "An invalid value", help: "")
  private static let unknownKey = Rule("test.unknown-key", .error, owner: .fixture, "An unknown key", help: "")

  private static func root(of text: String, _ reader: inout MappingReader) throws -> JSON {
    reader.root(of: try TextDocument.read(SourceFile(path: "a.yaml", bytes: Array(text.utf8))))
  }

  @Test func `each mistake in a mapping has its rule, location and help`() throws {
    var reader = MappingReader(Self.invalid, unknownKey: Self.unknownKey)
    let root = try Self.root(
      of: "nmae: a\ncolour: red\nname: {}\nlist: 7\nfinal: perhaps\nname: [1,\n  2]\n", &reader)
    let (name, list, final) = try (#require(root["name"]), #require(root["list"]), #require(root["final"]))
    let areMappings = [
      reader.isMapping(root, keys: ["name", "list", "final"]), reader.isMapping(name, "a mapping of names", keys: []),
    ]
    let values: [Any?] = [
      reader.string(name, of: "`name`"), reader.list(list, "a list of names"), reader.flag(final),
    ]
    #expect(areMappings == [true, false])
    #expect(values.allSatisfy { $0 == nil })
    #expect(
      reader.all.map(\.description).joined() == """
        a.yaml:6:1: error: duplicate key `name` in one object [test.invalid]
          6 | name: [1,
            | ^^^^
          help: the first is in line 3; remove one of them
        a.yaml:1:1: error: unknown key `nmae` [test.unknown-key]
          1 | nmae: a
            | ^^^^
          help: did you mean `name`?
        a.yaml:2:1: error: unknown key `colour` [test.unknown-key]
          2 | colour: red
            | ^^^^^^
          help: known: name, list, final
        a.yaml:6:7: error: expected a mapping of names, found array [test.invalid]
          6 | name: [1,
            |       ^
        a.yaml:6:7: error: expected text for `name`, found array [test.invalid]
          6 | name: [1,
            |       ^
        a.yaml:4:7: error: expected a list of names, found number [test.invalid]
          4 | list: 7
            |       ^
        a.yaml:5:8: error: expected `true` or `false`, found string [test.invalid]
          5 | final: perhaps
            |        ^^^^^^^

        """)
  }

  @Test func `a mapping without mistakes has no findings`() throws {
    var reader = MappingReader(Self.invalid)
    let root = try Self.root(of: "name: a\nlist: [7]\nfinal: true\nx-note: b\n", &reader)
    let (name, list, final) = try (#require(root["name"]), #require(root["list"]), #require(root["final"]))
    let isMapping = reader.isMapping(root)
    let isKnown = reader.checkKeys(of: root, ["name", "list", "final"]) { $0.name.hasPrefix("x-") }
    #expect(isMapping && isKnown)
    let (text, numbers, flag) = (reader.string(name), reader.list(list), reader.flag(final))
    #expect(text == "a" && numbers == [7] && flag == true)
    #expect(reader.all == [])
  }

  @Test func `an unknown key has the rule for invalid values unless it has a rule of its own`() throws {
    var reader = MappingReader(Self.invalid)
    let root = try Self.root(of: String(repeating: "a", count: 100) + ": 1\n", &reader)
    let isKnown = reader.checkKeys(of: root, [])
    #expect(!isKnown)
    #expect(reader.all.map(\.rule) == [Self.invalid])
    #expect(reader.all.allSatisfy { $0.message.utf8.count < 100 })
  }
}
