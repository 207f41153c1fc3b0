import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct HARFileTests {
  private static func paths(_ file: HARFile) throws -> [String] {
    try (0..<file.count).map { URL(string: try file.entry($0).url)?.path ?? "" }
  }

  @Test func `entries are sorted by time, in a stable order`() throws {
    let entries = [
      ("/c", "2026-01-01T10:00:03Z"), ("/a", "2026-01-01T10:00:01+00:00"), ("/d", "2026-01-01T12:00:03+02:00"),
      ("/b", "2026-01-01T10:00:02.5Z"),
    ].map { Recordings.entry("GET", "https://h" + $0.0, at: $0.1) }
    try Recordings.withFile(Recordings.har(entries)) { (file) throws in
      #expect(try Self.paths(file) == ["/a", "/b", "/c", "/d"])
      #expect(try file.entry(0).position.index == 1)
      #expect(file.damage == nil)
      #expect(file.creator == "Test")
    }
  }

  @Test func `an entry without a time follows the entry before it`() throws {
    let entries = [
      ("/late", "2026-01-01T10:00:09Z"), ("/then", "soon"), ("/early", "2026-01-01T10:00:01Z"),
    ].map { Recordings.entry("GET", "https://h" + $0.0, at: $0.1) }
    try Recordings.withFile(Recordings.har(entries)) { (file) throws in
      #expect(try Self.paths(file) == ["/early", "/late", "/then"])
    }
  }

  @Test func `a byte order mark, escaped keys and other members change nothing`() throws {
    let text = Recordings.har([Recordings.entry()]).replacing(
      "\"entries\"", with: #""_x": {"entries": [1]}, "entr\u0069es""#)
    try Recordings.withFile([0xEF, 0xBB, 0xBF] + Array(text.utf8)) { (file) throws in
      #expect(file.count == 1)
      #expect(file.damage == nil)
    }
  }

  @Test func `brackets and keys inside strings mean nothing`() throws {
    let entry = Recordings.entry(request: #""comment": "\"}]}} \\", "x": "\"entries\": [{""#)
    try Recordings.withFile(Recordings.har([entry, entry])) { (file) throws in
      #expect(file.count == 2)
      #expect(file.damage == nil)
      _ = try file.entry(1)
    }
  }

  @Test func `a truncated file keeps the entries before its end`() throws {
    let entry = Recordings.entry()
    let text = Array(Recordings.har([entry, entry, entry]).utf8)
    for length in stride(from: 120, to: text.count, by: 7) {
      do {
        try Recordings.withFile(Array(text[..<length])) { (file) throws in
          #expect(file.damage?.contains("the file ends") == true)
          for position in 0..<file.count { _ = try file.entry(position) }
        }
      } catch let problem as FileProblem {
        #expect(problem.kind == .otherContent)
      }
    }
  }

  @Test func `damage is reported with its line and the line of its entry`() throws {
    let text = Recordings.har([Recordings.entry(), Recordings.entry()])
    let cut = String(text.prefix(text.count - 60))
    try Recordings.withFile(cut) { (file) throws in
      #expect(file.count == 1)
      #expect(file.damage?.hasSuffix("the file ends within the entry that begins in line 9") == true)
    }
  }

  @Test(
    arguments: [
      ("", "the file is empty"), ("[]", "expected a JSON object"), ("hello", "expected a JSON object"),
      ("{}", "`log.entries` is missing"), (#"{"log": {"entries": {}}}"#, "`log.entries` is missing"),
      (#"{"entries": []}"#, "`log.entries` is missing"), (#"{"log": [{"entries": []}]}"#, "`log.entries` is missing"),
      ("\u{0}\u{1}\u{2}", "expected a JSON object"), (#"{"log": {"version""#, "brackets are still open"),
    ])
  func `a file that is not a recording is refused with the reason`(_ text: String, _ reason: String) throws {
    let problem = #expect(throws: FileProblem.self) { try Recordings.withFile(text) { _ in } }
    #expect(problem?.kind == .otherContent)
    #expect(problem?.message.contains(reason) == true)
  }

  @Test(
    arguments: [
      ("{} {}", "expected `,` between two entries"), ("{},", "expected an entry after the comma"),
      (",{}", "expected an entry, found `,`"), ("{},,{}", "expected an entry, found `,`"),
      ("{}]}} x", "expected the end of the file"), ("{}]}}{", "expected the end of the file"), ("{}}", "expected `]`"),
    ])
  func `a broken list of entries is damage`(_ entries: String, _ reason: String) throws {
    try Recordings.withFile(#"{"log": {"entries": [\#(entries)]}}"#) { (file) throws in
      #expect(file.damage?.contains(reason) == true, "\(file.damage ?? "none")")
    }
  }

  @Test func `elements that are not objects are counted`() throws {
    try Recordings.withFile(#"{"log": {"entries": [1, "two", [3, {}], {}, null, -4.5e1 ]}}"#) { (file) throws in
      #expect(file.strays == 5)
      #expect(file.count == 1)
      #expect(file.damage == nil)
    }
  }

  @Test func `an invalid entry is damage, and the other entries are read`() throws {
    let text = Recordings.har([Recordings.entry(), #"{"request": {,}}"#, Recordings.entry()])
    try Recordings.withFile(text) { (file) throws in
      #expect(file.count == 3)
      var problems: [HAREntry.Problem] = []
      for position in 0..<3 {
        do throws(HAREntry.Problem) { _ = try file.entry(position) } catch { problems.append(error) }
      }
      #expect(problems.map(\.isDamage) == [true])
    }
  }

  @Test func `a million brackets end in a problem, not in a crash`() throws {
    let deep = String(repeating: "[", count: 1_000_000)
    try Recordings.withFile(#"{"log": {"entries": [{"a": "# + deep) { (file) throws in
      #expect(file.damage?.contains("the file ends") == true)
    }
    let closed = deep + String(repeating: "]", count: 1_000_000)
    try Recordings.withFile(#"{"log": {"entries": [{"a": \#(closed)}, {}]}}"#) { (file) throws in
      #expect(file.damage == nil)
      #expect(throws: HAREntry.Problem.self) { try file.entry(0) }
    }
  }

  @Test func `an entry beyond the limit is not held`() throws {
    let long = String(repeating: "x", count: HARFile.entryLimit)
    try Recordings.withFile(#"{"log": {"entries": [{"a": "\#(long)"}, {}]}}"#) { (file) throws in
      #expect(file.count == 2)
      let problem = #expect(throws: HAREntry.Problem.self) { try file.entry(0) }
      #expect(problem?.message == "an entry is larger than 16777216 bytes")
    }
  }

  @Test(arguments: [UInt8(ascii: "{"), UInt8(ascii: "]"), UInt8(ascii: "\""), 0, 0xFF])
  func `junk at any position leaves at most two entries`(junk: UInt8) throws {
    let text = Array(Recordings.har([Recordings.entry(), Recordings.entry()]).utf8)
    for place in stride(from: 0, to: text.count, by: 5) {
      var broken = text
      broken[place] = junk
      do {
        try Recordings.withFile(broken) { (file) throws in
          #expect(file.count <= 2 || file.damage != nil, "at \(place)")
          for position in 0..<file.count { _ = try? file.entry(position) }
        }
      } catch let problem as FileProblem {
        #expect(!problem.message.isEmpty, "at \(place)")
      }
    }
  }
}
