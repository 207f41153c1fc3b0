/// The bytes that a fault lets a client receive: chunks, the pauses between them, and the end of the connection.
package struct TransmissionPlan: Sendable {
  private var sections: [Section] = []
  private var position = 0
  /// The end of the connection after the last chunk; `nil` for the end after any message.
  package private(set) var end: Fault.Ending?

  private struct Section: Sendable {
    var bytes: ArraySlice<UInt8>
    /// The size of a chunk, in bytes.
    var size = Int.max
    var pause: Duration = .zero
    var rest: Duration = .zero
  }

  /// The maximum number of chunks in a second, with a bandwidth.
  package static let chunksPerSecond = 20

  /// The plan of one message, to which others can be added; `head` precedes the body of a response, and may be empty.
  package init(head: [UInt8] = [], body: [UInt8] = [], _ fault: Fault? = nil) { append(head: head, body: body, fault) }

  /// Adds a message as a fault cuts and delays it. No message follows a fault that ends the connection.
  package mutating func append(head: [UInt8] = [], body: [UInt8], _ fault: Fault? = nil) {
    let (head, body) = Self.cut(head[...], body[...], fault?.damage)
    let all = head.isEmpty ? body : head + body
    switch fault?.pace {
    case nil: add(Section(bytes: all))
    case .stall(let pause):
      add(Section(bytes: head, rest: body.isEmpty ? .zero : pause))
      add(Section(bytes: body))
    case .drip(let time):
      add(Section(bytes: all, size: max(1, (all.count + Fault.drops - 1) / Fault.drops), pause: time / Fault.drops))
    case .bandwidth(let rate):
      let size = max(1, rate / Self.chunksPerSecond)
      add(Section(bytes: all, size: size, pause: .seconds(1) * size / rate))
    }
    end = if case .cut(let ending, _)? = fault?.damage { ending } else { fault?.endsConnection == true ? .close : nil }
  }

  /// Adds a pause before the next message, or before the end.
  package mutating func wait(_ pause: Duration) {
    if sections.isEmpty { sections.append(Section(bytes: [])) }
    sections[sections.count - 1].rest += pause
  }

  private mutating func add(_ section: Section) { if !section.bytes.isEmpty { sections.append(section) } }

  /// The bytes before the moment at which a fault ends the connection; all bytes for other damage.
  private static func cut(
    _ head: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>, _ damage: Fault.Damage?
  ) -> (head: ArraySlice<UInt8>, body: ArraySlice<UInt8>) {
    guard case .cut(_, let moment)? = damage else { return (head, body) }
    return switch moment {
    case .start: ([], [])
    case .body where !body.isEmpty: (head, body.prefix(body.count / 2))
    case .head, .body: (head.prefix(head.count / 2), [])
    case .afterHead: (head, [])
    case .end: (head, body)
    }
  }

  /// The bytes that are left, without pauses.
  package var bytes: [UInt8] { Array(sections[position...].lazy.map(\.bytes).joined()) }

  /// Takes the next chunk, with the pause after it; the last chunk has none.
  package mutating func next() -> (chunk: ArraySlice<UInt8>, pause: Duration?) {
    guard position < sections.count else { return ([], nil) }
    let section = sections[position]
    let chunk = section.bytes.prefix(section.size)
    sections[position].bytes = section.bytes.dropFirst(chunk.count)
    if chunk.count < section.bytes.count { return (chunk, section.pause) }
    position += 1
    return (chunk, position == sections.count && section.rest == .zero ? nil : section.rest)
  }

  /// Sends each chunk at its time, and returns after the last pause.
  package func transmit(_ send: ([UInt8]) async throws -> Void) async throws {
    var plan = self
    while true {
      let (chunk, pause) = plan.next()
      if !chunk.isEmpty { try await send(Array(chunk)) }
      guard let pause else { return }
      if pause > .zero { try await Task.sleep(for: pause, tolerance: .zero) }
    }
  }
}
