package import UnderstudyJSON

/// The encoder of a stream, which consists of server-sent events or of lines of JSON.
package struct StreamEncoder: Sendable, Hashable {
  private let isSSE: Bool

  package init(isSSE: Bool) { self.isSSE = isSSE }

  package var mediaType: String { isSSE ? "text/event-stream" : "application/x-ndjson" }

  /// A comment or an empty line, which clients ignore.
  package var heartbeat: [UInt8] { isSSE ? ServerSentEvent.comment() : [0x0A] }

  /// - Parameter name: The type; `nil` for `message`. Lines of JSON have neither types nor identifiers.
  package func event(_ name: String?, _ data: JSONValue, id: String? = nil) -> [UInt8] {
    isSSE ? ServerSentEvent(event: name, data: data.plainText, id: id).bytes : JSONLines.line(data)
  }

  /// An event whose data may not be JSON.
  package func event(_ name: String?, text: String) -> [UInt8] {
    isSSE ? ServerSentEvent(event: name, data: text).bytes : Array(text.utf8) + [0x0A]
  }
}
