import NIOCore
import NIOHTTP1
import UnderstudyMock

enum ResponseHead {
  /// Whether a status may have content (RFC 9110: 6.4.1, and 15.3.6 for 205).
  static func carriesBody(status: Int) -> Bool {
    switch status {
    case 100...199, 204, 205, 304: false
    default: true
    }
  }

  /// Whether a status announces its content's length (RFC 9110, 8.6); of a 304 it is the 200's, which is unknown.
  static func announcesLength(status: Int) -> Bool {
    switch status {
    case 100...199, 204, 304: false
    default: true
    }
  }

  /// Writes the head without the fields that depend on the request or the time, and without the empty line;
  /// `forcesBody` announces the length of the body for any status.
  static func write(
    _ response: HTTPResponse, bodyLength: Int?, forcesBody: Bool = false, into buffer: inout ByteBuffer
  ) {
    let status = response.status
    let phrase = status.reasonPhrase
    // The second space is required even without a phrase (RFC 9112, 4).
    buffer.writeString("HTTP/1.1 \(status.code) ")
    buffer.writeString(phrase.isEmpty ? HTTPResponseStatus(statusCode: status.code).reasonPhrase : phrase)
    buffer.writeString("\r\n")
    for field in response.headerFields where !isOurs(field.name) {
      buffer.writeString(field.name.rawName)
      buffer.writeString(": ")
      field.withUnsafeBytesOfValue { _ = buffer.writeBytes($0) }
      buffer.writeString("\r\n")
    }
    if let bodyLength, forcesBody || announcesLength(status: status.code) {
      let length = forcesBody || carriesBody(status: status.code) ? bodyLength : 0
      buffer.writeString("Content-Length: \(length)\r\n")
    }
  }

  /// The fields of a response on a stream, in lower case. Fields about a connection have no meaning there (RFC 9113, 8.2.2).
  static func streamFields(
    of response: HTTPResponse, bodyLength: Int?, _ date: HTTPDate
  ) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    fields.reserveCapacity(response.headerFields.count + 2)
    for field in response.headerFields where !isOurs(field.name) {
      switch field.name.canonicalName {
      case "keep-alive", "proxy-connection", "upgrade": break
      default: fields.append((name: field.name.canonicalName, value: field.value))
      }
    }
    if let bodyLength, announcesLength(status: response.status.code) {
      let length = carriesBody(status: response.status.code) ? bodyLength : 0
      fields.append((name: "content-length", value: String(length)))
    }
    fields.append((name: "date", value: String(decoding: date.bytes, as: UTF8.self)))
    return fields
  }

  /// The server writes the framing: a second length or a coding that was not applied would break the connection.
  private static func isOurs(_ name: HTTPField.Name) -> Bool {
    name == .contentLength || name == .transferEncoding || name == .connection || name == .date
  }
}

extension Reply {
  /// Whether the body is forbidden by HTTP and sent on purpose: a client would take it for the next answer.
  var breaksFraming: Bool { if case .prepared(let response) = content { response.breaksFraming } else { false } }
}

extension PreparedResponse {
  var breaksFraming: Bool { forcesBody && !body.isEmpty && !ResponseHead.carriesBody(status: status) }
}
