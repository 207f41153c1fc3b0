extension HTTPRequest {
  /// Whether it is the opening handshake of a WebSocket (RFC 6455, 4.1).
  package var asksForWebSocket: Bool {
    headerFields.lines(named: "upgrade").contains { line in
      FieldSyntax.split(line.utf8, at: UInt8(ascii: ",")).contains { FieldSyntax.lowercased($0) == "websocket" }
    }
  }
}

extension HTTPFields {
  /// The end-to-end fields: without those of one connection and those that `Connection` names (RFC 9110, 7.6.1).
  package var endToEnd: HTTPFields {
    var named = Self.hopByHop
    for line in lines(named: "connection") {
      for option in FieldSyntax.split(line.utf8, at: UInt8(ascii: ",")) { named.insert(FieldSyntax.lowercased(option)) }
    }
    return HTTPFields(filter { !named.contains(FieldSyntax.lowercased($0.name.rawName.utf8)) })
  }

  private static let hopByHop: Set<String> = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]
}
