import Testing
import UnderstudySchema

/// Texts broken at random, always the same ones: nothing may crash, and what is reported must lie within the text.
struct MutationTests {
  @Test func `broken JSON never crashes`() {
    let seeds = [
      #"{"a": [1, -2.5e3, "\u00e9\uD83D\uDE00\n"], "b": {"c": null, "d": true}}"#, #"["é😀", {"": {}}, [], false, 0.1]"#,
      #"{"k1":1,"k2":2,"k1":3,"k4":{"x":[[[[]]]]}}"#,
    ]
    mutate(seeds, path: "text.json", rounds: 2_500) { source throws(TextProblem) in try JSONParser.parse(source) }
  }

  @Test func `broken YAML never crashes`() {
    let seeds = [
      "a: &x [1, .5, 0x1F]\nb: *x\nc:\n  <<: {k: 1, l: &y {m: n}}\n  d: *y\n",
      "- |\n  text\n  é😀\n- >-\n  folded\n\n- 'q'\n- \"\\x41\\u00e9\"\n",
      "%YAML 1.2\n---\n!!str a: !!int 1\n? b\n: - c\n  - {d: e, f: [g, h]}\n# end\n...\n",
      "a: 1\r\nb:\r\n- x: ~\r\n  y: 012\r\na: 2\r\n",
    ]
    mutate(seeds, path: "text.yaml", rounds: 2_500) { source throws(TextProblem) in try YAMLReader.parse(source) }
  }

  private func mutate(
    _ seeds: [String], path: String, rounds: Int, _ parse: (SourceFile) throws(TextProblem) -> JSONDocument
  ) {
    var random = Seeded(state: 42)
    let tokens = [
      "{", "}", "[", "]", ":", ": ", ",", "\"", "'", "- ", "\n", "\n  ", "\t", "&x ", "*x", "<<: ", "!!int ", "\\u",
      "#", "0", "\u{FEFF}",
    ]
    for round in 0..<rounds {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, position + Int.random(in: 0...6, using: &random))
        switch Int.random(in: 0...4, using: &random) {
        case 0: bytes.removeSubrange(position..<end)
        case 1:
          bytes.insert(contentsOf: Array(bytes[position..<end]), at: Int.random(in: 0...bytes.count, using: &random))
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
        default:
          bytes.insert(contentsOf: Array(tokens[Int.random(in: 0..<tokens.count, using: &random)].utf8), at: position)
        }
      }
      let source = SourceFile(path: path, bytes: bytes)
      do {
        check(try parse(source), bytes)
      } catch {
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= bytes.count, "\(error) in \(bytes)")
      }
    }
  }

  private func check(_ document: JSONDocument, _ bytes: [UInt8]) {
    let isWithin = document.ranges?.allSatisfy { $0.start <= $0.end && $0.end <= bytes.count } ?? false
    let isWhole = document.end(of: 0) == document.nodes.count && document.ranges?.count == document.nodes.count
    if !isWithin || !isWhole {
      Issue.record("unsound table for \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
    let written = JSONWriter.bytes(document.root)
    guard document.duplicates.isEmpty else { return }
    let isSame = (try? JSONParser.parse(written))?.root == document.root
    if !isSame {
      Issue.record("written otherwise than read: \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
  }

  /// SplitMix64: the same mutations in every run.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
