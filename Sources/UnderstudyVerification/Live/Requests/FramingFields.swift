/// Header fields that a client writes itself, even if a contract declares them, because they route and delimit a message
/// (RFC 9110, 7.2, 7.8, 8.6, 10.1.1; RFC 9112, 6). With a generated value the server would wait for ever, or cut the
/// request.
enum FramingFields {
  private static let names: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  static func contains(_ name: String) -> Bool { names.contains(FieldSyntax.lowercased(name.utf8)) }

  static func contains(_ parameter: Parameter) -> Bool { parameter.location == .header && contains(parameter.name) }
}
