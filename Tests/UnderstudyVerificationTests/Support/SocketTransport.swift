import HTTPTypes
import UnderstudyTestSupport
import UnderstudyVerification

/// A way to a server on this machine, one connection a request.
func socketTransport(port: Int) -> Transport {
  { request, body in
    guard case .whole(let bytes) = try await body.collected(upTo: 1_000_000) else { throw BodyTooLong() }
    let client = try RawClient(port: port)
    var head =
      "\(request.method.rawValue) \(request.path ?? "/") HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
    for field in request.headerFields { head += "\(field.name.rawName): \(field.value)\r\n" }
    if !bytes.isEmpty { head += "Content-Length: \(bytes.count)\r\n" }
    try client.send(Array("\(head)\r\n".utf8) + bytes)
    let answer = try client.response(hasBody: request.method != .head)
    var fields = HTTPFields()
    for (name, value) in answer.fields {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return (HTTPResponse(status: .init(code: answer.status), headerFields: fields), Body(Array(answer.body.utf8)))
  }
}
