import Testing
import UnderstudySchema
import UnderstudyTestSupport

struct YAMLReaderTests {
  private func read(_ text: String) throws(TextProblem) -> JSON {
    try YAMLReader.parse(SourceFile(path: "text.yaml", text: text)).root
  }

  private func refusal(of text: String) -> TextProblem? { #expect(throws: TextProblem.self) { try read(text) } }

  @Test(arguments: ["", "\n", "# nothing\n", "---\n", "\u{FEFF}"]) func `an empty text is null`(_ text: String) throws {
    #expect(try read(text).isNull)
  }

  @Test func `keys are strings by their spelling`() throws {
    let root = try read("200: a\n~: b\n1.0: c\ntrue: d\n0x1F: e\n'x': f\n?\n: g\n")
    #expect(root.members.map(\.name) == ["200", "~", "1.0", "true", "0x1F", "x", ""])
  }

  @Test func `keys and scalars have their positions in any context`() throws {
    let marked = MarkedText(
      """
      # é
      ↓info↑:
        ↓título↑: ↓'😀 x'↑  # comment
        ↓version↑:   ↓1.0↑
        ↓text↑: ↓|
          two
          lines↑

        # comment
        ↓none↑:↓↑
      ↓tags↑: [↓true↑,   ↓"a
        b"↑ ]
      """)
    let document = try YAMLReader.parse(marked.source)
    let scalars = document.nodes.indices.map { JSON(document: document, index: $0) }.filter {
      !$0.isObject && !$0.isArray
    }
    #expect(scalars.map(\.range) == marked.ranges)
  }

  @Test(arguments: [
    "↓a: 1\nb:\n  - 2↑ \n\n# end\n", "# start\n↓- a: [1,\n   2]↑\n", "x: ↓{a: 1,\n  b: 2}↑  # c\n",
    "x:\n  ↓a: |\n    text\n    more↑\n\n",
    "x:\n↓- é😀\n- ↓last↑↑\n", "\u{FEFF}↓é: ↓ü↑↑\r\n", "x: ↓&n\n  y: z↑\n", "x: ↓&n [1]↑\ny: ↓*n↑\n", "x: ↓!!str 1↑",
    "x: ↓\"a\n  b\"↑ # c",
    "x:\n  ↓- 1\n  -↑\ny: 2",
  ])
  func `a container reaches from its first to its last character`(_ text: String) throws {
    let marked = MarkedText(text)
    let document = try YAMLReader.parse(marked.source)
    let ranges = document.nodes.indices.compactMap { JSON(document: document, index: $0).range }
    for range in marked.ranges { #expect(ranges.contains(range), "\(range) is not among \(ranges)") }
  }

  @Test func `an alias has the anchor's value and its own position`() throws {
    let marked = MarkedText("a: &x {k: ↓1↑}\nb: ↓*x↑\nc: &x 2\nd: *x\n*x : e\n")
    let document = try YAMLReader.parse(marked.source)
    #expect(document.root == ["a": ["k": 1], "b": ["k": 1], "c": 2, "d": 2, "2": "e"])
    #expect(document.root["b"]?.range == marked.ranges[1])
    #expect(document.root["b"]?["k"]?.range == marked.ranges[0])
  }

  @Test func `an anchored key can become a value`() throws {
    #expect(try read("&k name: *k") == ["name": "name"])
  }

  @Test(arguments: [
    ("a: ↓*x↑", "the alias `*x` has no anchor `&x` before it"),
    ("a: &x [↓*x↑]", "the alias `*x` refers to a value that contains it"),
    ("a: &x {b: {c: ↓*x↑}}", "the alias `*x` refers to a value that contains it"),
    ("a: &x [1]\n↓*x↑ : 2", "expected a scalar as key, found a mapping or a list"),
    ("x: {↓{↑ name }}", "expected a scalar as key, found a mapping or a list"),
    ("? ↓[↑a, b]\n: 1", "expected a scalar as key, found a mapping or a list"),
    ("a: 1\n↓---↑\nb: 2", "expected one document, found the start of a second"),
  ])
  func `a value that JSON cannot hold is refused`(_ text: String, _ message: String) throws {
    let marked = MarkedText(text)
    let found = try #require(throws: TextProblem.self) { try YAMLReader.parse(marked.source) }
    #expect(found.message == message)
    #expect([found.range.lowerBound] == marked.offsets)
  }

  @Test func `a duplicate key is reported with the line of the first`() throws {
    let marked = MarkedText("a: 1\nb:\n  c: 1\n  ↓c↑: 2\n↓a↑: 3\n")
    let document = try YAMLReader.parse(marked.source)
    #expect(document.duplicates.map(\.range) == marked.ranges)
    #expect(document.duplicates.map(\.kind) == [.duplicateKey, .duplicateKey])
    #expect(
      document.duplicates.map(\.help) == [
        "the first is in line 3; remove one of them", "the first is in line 1; remove one of them",
      ])
    #expect(document.root["a"] == 3)
  }

  // MARK: Limits

  @Test func `aliases of aliases are bounded`() throws {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      text += "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ") + "]\n"
    }
    let found = try #require(refusal(of: text))
    #expect(found.kind == .limit)
    #expect(found.message == "the aliases of this text expand to more than 1000000 values")
  }

  @Test func `depth is bounded through aliases too`() throws {
    let half = YAMLReader.maximumDepth / 2
    func text(_ extra: Int) -> String {
      let inner = String(repeating: "[", count: half - 1) + String(repeating: "]", count: half - 1)
      let outer = half - 1 + extra
      return "a: &x \(inner)\nb: " + String(repeating: "[", count: outer) + "*x" + String(repeating: "]", count: outer)
    }
    // Root, outer lists and inner lists together make the depth.
    #expect(try read(text(1)).isObject)
    #expect(refusal(of: text(2))?.message == "nested deeper than 1000 levels")
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "{", "[{a: "]) func `very deep texts are refused at once`(
    _ opener: String
  ) throws {
    let found = try #require(refusal(of: String(repeating: opener, count: 10_000)))
    #expect(found.kind == .limit || found.message.hasPrefix("expected a scalar as key"))
  }

  @Test func `very deep block mappings are refused at once`() throws {
    let text = (0..<1_500).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(refusal(of: text)?.kind == .limit)
  }
}
