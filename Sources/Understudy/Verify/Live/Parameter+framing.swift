extension Parameter {
  /// Fields that say where a message goes and where it ends. The client writes them, whatever a contract declares: made up,
  /// they would hang the server or cut the request (RFC 9110, 7.2, 7.8, 8.6, 10.1.1; RFC 9112, 6).
  static let framing: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Whether it declares such a field.
  var isFraming: Bool { location == .header && Self.framing.contains(FieldSyntax.lowercased(name.utf8)) }
}
