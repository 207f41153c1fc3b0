struct RecordedHeaders {
  /// The names of the contract.
  let documented: [String]
  /// To make a `Location` on the same server relative.
  let requestURL: String

  init(of operation: CompiledOperation, status: Int, requestURL: String) {
    documented = operation.operation.response(for: status)?.headers.map(\.name) ?? []
    self.requestURL = requestURL
  }

  /// Fields that clients act on, whether the contract documents them or not.
  private static let known: Set<String> = [
    "location", "content-location", "retry-after", "link", "cache-control", "expires", "etag", "last-modified", "vary",
    "age", "www-authenticate", "set-cookie", "content-disposition", "content-language", "content-range",
    "accept-ranges", "allow",
  ]

  /// Fields of one connection, one run or one server, even where they are documented.
  private static let volatile: Set<String> = [
    "date", "server", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection",
    "keep-alive", "via", "x-request-id", "request-id", "x-correlation-id", "x-trace-id", "x-amzn-trace-id",
    "x-amzn-requestid",
    "traceparent", "tracestate", "x-b3-traceid", "x-b3-spanid", "b3", "cf-ray", "x-cloud-trace-context",
    "x-runtime", "x-response-time", "server-timing", "x-powered-by", "understudy-reply", "sl-violations",
  ]

  static func isVolatile(_ name: String) -> Bool { volatile.contains(name) }

  /// The names of the fields that no fixture keeps, apart from fields of a connection, a run or a server.
  func lost(of fields: HTTPFields) -> [String] {
    let names = Self.known.union(documented.map { FieldSyntax.lowercased($0.utf8) }).union(Self.volatile)
    return fields.map { FieldSyntax.lowercased($0.name.rawName.utf8) }.filter {
      // The mock answers requests of other origins by itself.
      !names.contains($0) && !$0.hasPrefix("access-control-")
    }
  }

  /// In the order of the answer.
  func kept(of fields: HTTPFields) -> [(name: String, value: String)] {
    let names = Self.known.union(documented.map { FieldSyntax.lowercased($0.utf8) }).subtracting(Self.volatile)
    return fields.compactMap { field in
      let name = FieldSyntax.lowercased(field.name.rawName.utf8)
      guard names.contains(name), HeaderText.isValue(field.value) else { return nil }
      let isReference = name == "location" || name == "content-location"
      return (field.name.rawName, isReference ? relative(field.value) : field.value)
    }
  }

  /// Without the address of the server, which a fixture cannot know.
  private func relative(_ text: String) -> String {
    var reference = URIReference(text)
    // `ws://` leads to another protocol on the same host.
    guard let scheme = reference.scheme, ["http", "https"].contains(FieldSyntax.lowercased(scheme.utf8)),
      reference.authority == URIReference(requestURL).authority
    else { return text }
    (reference.scheme, reference.authority) = (nil, nil)
    if reference.path.isEmpty { reference.path = "/" }
    return reference.description
  }
}
