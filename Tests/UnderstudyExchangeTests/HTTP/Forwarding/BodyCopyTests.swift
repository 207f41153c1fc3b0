import Testing
import UnderstudyMock

struct BodyCopyTests {
  private static func fields(_ type: String, coding: String? = nil) -> HTTPFields {
    var fields: HTTPFields = [.contentType: type]
    if let coding { fields[.contentEncoding] = coding }
    return fields
  }

  /// Reads the text to its end, or only one byte at a time of its beginning.
  private static func copy(of text: String, upTo limit: Int = 100, reading count: Int? = nil) async throws -> BodyCopy {
    let pieces = AsyncStream<[UInt8]> { continuation in
      for byte in text.utf8 { continuation.yield([byte]) }
      continuation.finish()
    }
    let body = Body(length: nil, pieces).copied(upTo: limit)
    var iterator = body.makeAsyncIterator()
    if let count {
      for _ in 0..<count { _ = try await iterator.next() }
    } else {
      while try await iterator.next() != nil {}
    }
    return try #require(body.copy)
  }

  @Test func `a body that is read to its end is whole`() async throws {
    let content = try await Self.copy(of: "abc").content(Self.fields("text/plain"))
    #expect(content == .whole(Array("abc".utf8)))
  }

  @Test(arguments: [("3", true), ("4", false), ("2", false), ("x", false)])
  func `a body with all its announced bytes is whole before its end is seen`(length: String, isWhole: Bool) async throws
  {
    var fields = Self.fields("application/zip")
    fields[.contentLength] = length
    let content = try await Self.copy(of: "abc", reading: 3).content(fields)
    #expect(content == (isWhole ? .whole(Array("abc".utf8)) : .cutOff("the answer's body was cut off")))
  }

  @Test func `only what was read is copied`() async throws {
    let content = try await Self.copy(of: "1\n2\n3\n", reading: 5).content(Self.fields("application/x-ndjson"))
    #expect(content == .records(Array("1\n2\n".utf8)))
  }

  @Test(arguments: ["\n\n", "\r\r", "\r\n\r\n"])
  func `an event ends with an empty line, whose line ends may be those of any system`(_ end: String) async throws {
    let text = "data: 1\(end)data: 2\(end)"
    let content = try await Self.copy(of: text, reading: text.utf8.count - 1).content(Self.fields("text/event-stream"))
    #expect(content == .records(Array("data: 1\(end)".utf8)))
  }

  @Test func `a stream that is cut off within its first record has nothing to use`() async throws {
    let content = try await Self.copy(of: "data: 1\n\n", reading: 8).content(Self.fields("text/event-stream"))
    #expect(content == .cutOff("the answer's body was cut off within its first record"))
  }

  @Test func `a body without records that is cut off has nothing to use, and neither has a compressed stream`()
    async throws
  {
    let copy = try await Self.copy(of: "1\n2\n", reading: 3)
    #expect(copy.content(Self.fields("application/json")) == .cutOff("the answer's body was cut off"))
    let compressed = Self.fields("application/x-ndjson", coding: "gzip")
    #expect(copy.content(compressed) == .cutOff("the answer's body was cut off"))
  }

  @Test func `a body beyond the limit of the copy or of its user is too long`() async throws {
    #expect(try await Self.copy(of: "abc", upTo: 2).content(Self.fields("text/plain")) == .tooLong)
    let copy = try await Self.copy(of: "abc", upTo: 3)
    #expect(copy.content(Self.fields("text/plain"), upTo: 2) == .tooLong)
    #expect(copy.content(Self.fields("text/plain"), upTo: 3) == .whole(Array("abc".utf8)))
  }
}
