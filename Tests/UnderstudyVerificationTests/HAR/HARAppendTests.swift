import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// A recording that goes on in a file of an earlier run.
struct HARAppendTests {
  private let writer = HARWriter(version: "1.0")

  private func entry(_ number: Int) -> Redacted<[UInt8]> {
    var redactor = Redactor()
    return redactor.redact(text: #"{"number": \#(number)}"#).map { Array($0.utf8) }
  }

  private func record(_ path: String, _ numbers: [Int], lost: Int = 0, overwrites: Bool = false) throws {
    var output = try HAROutput.begin(path, head: writer.head, overwrites: overwrites)
    try output.append(numbers.map(entry), lost: lost)
  }

  private func numbers(_ path: String) throws -> [Int?] {
    try JSONParser.parse(try FileSystem.read(path)).root["log"]?["entries"]?.elements.map { $0["number"]?.int } ?? []
  }

  @Test func `a second recording follows the first`() throws {
    try withTemporaryFolder { (folder) throws in
      let path = folder + "/t.har"
      try record(path, [1, 2])
      try record(path, [3])
      #expect(try numbers(path) == [1, 2, 3])
      let output = try HAROutput.begin(path, head: writer.head)
      #expect(output.earlier == 3)
    }
  }

  @Test func `a new file is readable by its owner alone, and the mode of an existing one stays`() throws {
    try withTemporaryFolder { (folder) throws in
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      try record(folder + "/new.har", [1])
      #expect(try mode(folder + "/new.har") == 0o600)
      try record(folder + "/new.har", [2])
      #expect(try mode(folder + "/new.har") == 0o600)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder + "/new.har")
      try record(folder + "/new.har", [3])
      #expect(try mode(folder + "/new.har") == 0o640)
    }
  }

  @Test func `lost exchanges of all runs are counted`() throws {
    try withTemporaryFolder { (folder) throws in
      let path = folder + "/t.har"
      try record(path, [1], lost: 12)
      try record(path, [2], lost: 30)
      let text = String(decoding: try FileSystem.read(path).bytes, as: UTF8.self)
      #expect(text.contains(#""comment": "42 exchanges are missing"#))
      #expect(try numbers(path) == [1, 2])
    }
  }

  @Test func `a recording that was cut off goes on after its last whole entry`() throws {
    try withTemporaryFolder { (folder) throws in
      let path = folder + "/t.har"
      try record(path, [1, 2])
      let whole = try FileSystem.read(path).bytes
      let cut = String(decoding: whole.prefix(whole.count - 10), as: UTF8.self)
      try write(["t.har": cut], in: folder)
      try record(path, [3])
      #expect(try numbers(path) == [1, 3])
    }
  }

  @Test func `an empty recording and an empty file become recordings`() throws {
    try withTemporaryFolder { (folder) throws in
      try write(["empty.har": ""], in: folder)
      try record(folder + "/none.har", [])
      for name in ["/empty.har", "/none.har"] {
        try record(folder + name, [1])
        #expect(try numbers(folder + name) == [1])
      }
    }
  }

  @Test(arguments: [Recordings.har([]), "{}", "no recording"])
  func `any other file is left alone unless it is to be overwritten`(content: String) throws {
    try withTemporaryFolder { (folder) throws in
      let path = folder + "/t.har"
      try write(["t.har": content], in: folder)
      let problem = #expect(throws: FileProblem.self) { try record(path, [1]) }
      #expect(problem?.help == "choose another file, or replace it with --overwrite")
      #expect(try FileSystem.read(path).bytes.elementsEqual(content.utf8))
      try record(path, [1], overwrites: true)
      #expect(try numbers(path) == [1])
    }
  }
}
