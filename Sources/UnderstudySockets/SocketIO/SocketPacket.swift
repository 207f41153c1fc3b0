package import UnderstudyJSON
package import UnderstudySchema

/// A packet of Socket.IO with its attachments. The protocol is version 5 on Engine.IO 4, and version 4 on Engine.IO 3.
package struct SocketPacket: Sendable, Equatable {
  package enum Kind: UInt8, Sendable, CaseIterable {
    case connect, disconnect, event, ack
    /// `CONNECT_ERROR`, in version 4 `ERROR`.
    case connectError
    case binaryEvent, binaryAck
  }

  package var kind: Kind
  package var namespace: String
  package var id: Int?
  /// Arguments are an array, whose attachments are placeholders.
  package var payload: JSON?
  package var attachments: [[UInt8]]

  package init(
    _ kind: Kind, namespace: String = "/", id: Int? = nil, _ payload: JSON? = nil, attachments: [[UInt8]] = []
  ) {
    (self.kind, self.namespace, self.id) = (kind, namespace, id)
    (self.payload, self.attachments) = (payload, attachments)
  }

  /// - Parameter arguments: An array.
  package init(_ arguments: JSONValue, attachments: [[UInt8]], event: String?, namespace: String, id: Int?) {
    let values = (event.map { [.string($0)] } ?? []) + (arguments.array ?? [])
    let isBinary = !attachments.isEmpty
    self.init(
      event == nil ? isBinary ? .binaryAck : .ack : isBinary ? .binaryEvent : .event, namespace: namespace, id: id,
      JSON(.array(values)), attachments: attachments)
  }

  /// The messages: the packet, then its attachments.
  package var encoded: [WebSocketMessage] {
    var text = String(kind.rawValue)
    if kind == .binaryEvent || kind == .binaryAck { text += "\(attachments.count)-" }
    if namespace != "/" { text += namespace + "," }
    if let id { text += String(id) }
    if let payload { text += JSONWriter.text(payload) }
    return [.text(text)] + attachments.map { .binary($0) }
  }

  /// The arguments of an event, without its name, or those of an acknowledgement.
  package var arguments: SocketArguments {
    let values = payload?.array ?? []
    let isEvent = kind == .event || kind == .binaryEvent
    return SocketArguments(isEvent ? Array(values.dropFirst()) : values, attachments: attachments)
  }

  /// The name of an event; `nil` for a number.
  package var event: String? { payload?.array?.first?.string }

  /// Events that the libraries themselves raise (socket.io-protocol, 5).
  package static let reservedEvents: Set<String> = [
    "connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener",
  ]
}
