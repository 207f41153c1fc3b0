public import UnderstudyClient

/// An event that a client of a socket sent.
public struct ClientEvent: Sendable, CustomStringConvertible {
  /// The name; `connect` and `disconnect` of a client that comes and goes.
  public let name: String
  /// In their order; of `connect`, what the client sends to be let in.
  public let arguments: [JSONValue]
  /// The namespace of Socket.IO: `/`.
  public let namespace: String
  /// The number of the connection.
  public let socket: Int
  /// What the event breaks.
  public let findings: [Finding]
  /// The number of the event in its lane, from 1.
  let number: Int

  /// The first argument.
  public var argument: JSONValue? { arguments.first }

  /// `changesocketid "u2"`
  public var description: String { ([name] + arguments.map(\.text)).joined(separator: " ") }

  init(_ value: JSONValue) {
    name = value["event"]?.string ?? ""
    arguments = value["arguments"]?.array ?? []
    namespace = value["namespace"]?.string ?? ""
    socket = value["socket"]?.int ?? 0
    findings = (value["findings"]?.array ?? []).compactMap(Finding.init)
    number = value["number"]?.int ?? 0
  }
}
