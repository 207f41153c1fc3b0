import Foundation
import Testing
import UnderstudyMock

struct ContentCodingTests {
  static func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

  @Test(arguments: [
    ("H4sIAAAAAAAC/6tWSlSyMqwFAK+sG1YHAAAA", ["gzip"]), ("H4sIAAAAAAAC/6tWSlSyMqwFAK+sG1YHAAAA", ["X-GZIP"]),
    ("eNqrVkpUsjKsBQAIKgIJ", ["deflate"]), ("q1ZKVLIyrAUA", ["deflate"]), ("DwOAeyJhIjoxfQM=", ["br"]),
    ("H4sIAAAAAAAC/6tWSlQCAA1xNQ8EAAAAH4sIAAAAAAAC/7MyrAUAZ7NUPgMAAAA=", ["gzip"]),
    ("H4sIAAAAAAAC/+NnbqhWSlSyMqxlBgDtOgsdCwAAAA==", ["br, gzip"]),
    ("H4sIAAAAAAAC/+NnbqhWSlSyMqxlBgDtOgsdCwAAAA==", ["br", "gzip"]),
    ("H4sIAAAAAAAC/6tWSlSyMqwFAK+sG1YHAAAA", ["identity, gzip"]),
  ])
  func `codings are undone, the last one first`(base64: String, lines: [String]) throws {
    #expect(try ContentCoding.decode(Self.bytes(base64), lines) == .decoded(Array("{\"a\":1}".utf8)))
  }

  @Test func `without a coding the bytes are themselves`() throws {
    #expect(try ContentCoding.decode([1, 2], []) == .decoded([1, 2]))
    #expect(try ContentCoding.decode([1, 2], ["", "identity"]) == .decoded([1, 2]))
  }

  @Test func `a coding that is not known is named`() throws {
    #expect(try ContentCoding.decode([1], ["gzip, zstd"]) == .unknown("zstd"))
  }

  @Test(arguments: [
    ("gzip", "H4sIAAAAAAAC/6tWSlSyMqwFAK+sG1YHAAAA"), ("deflate", "eNqrVkpUsjKsBQAIKgIJ"), ("br", "DwOAeyJhIjoxfQM="),
  ])
  func `broken and truncated bodies are refused`(coding: String, base64: String) throws {
    let whole = try Self.bytes(base64)
    for count in 1..<whole.count {
      #expect(throws: DecodingProblem.self) { try ContentCoding.decode(Array(whole.prefix(count)), [coding]) }
    }
    let error = #expect(throws: DecodingProblem.self) { try ContentCoding.decode(Array("{\"a\":1}".utf8), [coding]) }
    #expect(error?.kind == .syntax)
  }

  @Test(arguments: [
    (
      "H4sIAAAAAAAC/+3bPQ4BYRQF0G+Ywk+CXsESlBoJjVqjFgtQ65CISkFjHdZgBzrRWYCIKFRiGJuQTM6pXn3Lm/sa60JI5ZLrIYq+x2L73t8KpQAAAABk3OK8zKdlQGgmp/5gCAAAAGTduFqJf6XAa1TviQMAAAAyb9Vp134Lgcd8EosDAAAAMm/3vGzTKqB7TE6zVt7XBPzDPS4Xp5sQatEH+VNS685DAAA=",
      ["gzip, gzip"], "gzip"
    ), ("z///f/gnAOKxQCD3/r/+/x//BEAcFgDo3j8A", ["br"], "br"),
  ])
  func `a few bytes cannot become many`(base64: String, lines: [String], coding: String) throws {
    let error = #expect(throws: DecodingProblem.self) { try ContentCoding.decode(Self.bytes(base64), lines) }
    #expect(error?.kind == .limit)
    #expect(
      error?.sentence == "the body decodes to more than \(ContentCoding.decodedLimit) bytes by its coding `\(coding)`")
    let layers = #expect(throws: DecodingProblem.self) {
      try ContentCoding.decode([1], ["gzip, gzip, gzip", "gzip, gzip"])
    }
    #expect(layers?.sentence == "the body has 5 content codings; the limit is 4")
  }
}
