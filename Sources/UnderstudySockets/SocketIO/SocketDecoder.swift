import UnderstudySchema
import UnderstudyText

/// Reads packets of Socket.IO from the messages of a connection, whose attachments follow their packet.
package struct SocketDecoder: Sendable {
  /// The reason that the connection is closed.
  package struct Failure: Error, Sendable, Hashable { package let reason: String }

  /// The most attachments of a packet, as of the reference implementation.
  package static let attachmentLimit = 10

  private let version: EngineVersion
  private var incomplete: (packet: SocketPacket, missing: Int)?

  package init(_ version: EngineVersion) { self.version = version }

  /// The packet that a message completes; `nil` while attachments are missing.
  package mutating func receive(_ message: WebSocketMessage) throws(Failure) -> SocketPacket? {
    switch message {
    case .binary(let bytes):
      guard let (packet, missing) = incomplete.take() else { throw Failure(reason: "an attachment without a packet") }
      var whole = packet
      whole.attachments.append(bytes)
      if missing == 1 { return whole }
      incomplete = (whole, missing - 1)
      return nil
    case .text(let text):
      guard incomplete == nil else { throw Failure(reason: "a packet in place of an attachment") }
      var reader = SocketPacketReader(text, version)
      let (packet, attachments) = try reader.read()
      guard attachments > 0 else { return packet }
      incomplete = (packet, attachments)
      return nil
    }
  }
}

/// Reads `<type>[<attachments>-][<namespace>,][<id>][<JSON>]`.
private struct SocketPacketReader {
  private var rest: Substring.UTF8View
  private let version: EngineVersion

  init(_ text: String, _ version: EngineVersion) { (rest, self.version) = (text[...].utf8, version) }

  mutating func read() throws(SocketDecoder.Failure) -> (SocketPacket, attachments: Int) {
    guard let first = rest.popFirst(), let kind = SocketPacket.Kind(rawValue: first &- UInt8(ascii: "0")) else {
      throw fail("a packet has no type from 0 to 6")
    }
    var packet = SocketPacket(kind)
    let isBinary = kind == .binaryEvent || kind == .binaryAck
    let attachments = isBinary ? try count() : 0
    packet.namespace = namespace()
    packet.id = try id()
    packet.payload = try payload()
    try check(packet, attachments)
    return (packet, attachments)
  }

  private mutating func count() throws(SocketDecoder.Failure) -> Int {
    let digits = digits(2)
    guard let count = Int(digits), rest.popFirst() == UInt8(ascii: "-") else {
      throw fail("a binary packet has no number of attachments")
    }
    guard count <= SocketDecoder.attachmentLimit else {
      throw fail("a packet has \(count) attachments: expected at most \(SocketDecoder.attachmentLimit)")
    }
    return count
  }

  /// A missing comma is the end of a packet, and the query of version 4 a part of the namespace.
  private mutating func namespace() -> String {
    guard rest.first == UInt8(ascii: "/") else { return "/" }
    let name = rest.prefix { $0 != UInt8(ascii: ",") }
    rest = rest.dropFirst(name.count + 1)
    return String(Substring(name))
  }

  private mutating func id() throws(SocketDecoder.Failure) -> Int? {
    let digits = digits(19)
    guard !digits.isEmpty else { return nil }
    guard let id = Int(digits) else { throw fail("the id of an acknowledgement is too large") }
    return id
  }

  private mutating func payload() throws(SocketDecoder.Failure) -> JSON? {
    guard !rest.isEmpty else { return nil }
    do throws(TextProblem) {
      return try JSONParser.parse(Array(rest)).root
    } catch {
      throw fail("a payload is not JSON: \(error.message)")
    }
  }

  private func check(_ packet: SocketPacket, _ attachments: Int) throws(SocketDecoder.Failure) {
    let payload = packet.payload
    switch packet.kind {
    case .connect:
      // Version 4 has no payload.
      guard payload == nil || payload?.isObject == true else { throw fail("the payload of CONNECT is not an object") }
    case .disconnect:
      guard payload == nil else { throw fail("DISCONNECT has a payload") }
    case .connectError:
      let isError = payload?.isObject == true || payload?.isString == true || version == .three
      guard isError else { throw fail("the payload of CONNECT_ERROR is not an object") }
    case .event, .binaryEvent:
      guard let values = payload?.array, let name = values.first else {
        throw fail("the payload of an event is not a list with its name")
      }
      guard name.isString || name.number != nil else { throw fail("the name of an event is not a string") }
      if let name = name.string, SocketPacket.reservedEvents.contains(name) {
        throw fail("the event `\(name)` is reserved")
      }
    case .ack, .binaryAck:
      guard packet.id != nil else { throw fail("an acknowledgement has no id") }
      guard payload?.isArray == true else { throw fail("the payload of an acknowledgement is not a list") }
    }
    guard attachments > 0, let payload else { return }
    guard Self.placeholdersExist(payload, attachments) else {
      throw fail("a placeholder has no attachment among \(attachments)")
    }
  }

  private static func placeholdersExist(_ value: JSON, _ count: Int) -> Bool {
    if value["_placeholder"]?.bool == true {
      guard let number = value["num"]?.int else { return false }
      return 0..<count ~= number
    }
    return value.elements.allSatisfy { placeholdersExist($0, count) }
      && value.members.allSatisfy { placeholdersExist($0.value, count) }
  }

  private mutating func digits(_ limit: Int) -> String {
    let digits = rest.prefix(limit).prefix { 0x30...0x39 ~= $0 }
    rest = rest.dropFirst(digits.count)
    return String(Substring(digits))
  }

  private func fail(_ reason: String) -> SocketDecoder.Failure { SocketDecoder.Failure(reason: reason) }
}
