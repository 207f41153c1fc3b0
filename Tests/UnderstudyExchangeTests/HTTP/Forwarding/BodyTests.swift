import Testing
import UnderstudyMock

struct BodyTests {
  private static func pieces(_ pieces: [UInt8]..., length: Int? = nil) -> Body {
    Body(
      length: length,
      AsyncStream { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
      })
  }

  private static func read(_ body: Body) async throws -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    for try await piece in body { pieces.append(piece) }
    return pieces
  }

  @Test func `bytes are one piece, no bytes are none`() async throws {
    #expect(try await Self.read(Body([1, 2])) == [[1, 2]])
    #expect(Body([1, 2]).length == 2)
    #expect(try await Self.read(Body()) == [])
  }

  @Test func `an announced length has no bytes`() async throws {
    let body = Body(announcing: 7)
    #expect(body.length == 7)
    #expect(try await Self.read(body) == [])
  }

  @Test func `content as long as the limit is whole`() async throws {
    guard case .whole(let bytes) = try await Self.pieces([1, 2], [3]).collected(upTo: 3) else {
      Issue.record("not held")
      return
    }
    #expect(bytes == [1, 2, 3])
  }

  @Test func `longer content can still be read from its start`() async throws {
    guard case .longer(let body) = try await Self.pieces([1, 2], [3, 4], [5]).collected(upTo: 3) else {
      Issue.record("held")
      return
    }
    #expect(body.length == nil)
    #expect(try await Self.read(body) == [[1, 2, 3, 4], [5]])
  }

  @Test func `an announced length beyond the limit is not waited for`() async throws {
    let endless = Body(length: 9, AsyncStream<[UInt8]> { _ in })
    guard case .longer = try await endless.collected(upTo: 3) else {
      Issue.record("held")
      return
    }
  }
}
