struct RequestWriter: Sendable {
  let compiled: CompiledOperation
  let target: Upstream
  /// The base path: of the target, or of the contract's server.
  let base: String
  let credentials: LiveCredentials
  let headers: [(name: String, value: String)]

  private var operation: Operation { compiled.operation }
  private var schemas: SchemaLibrary { compiled.schemas }

  /// `nil` for a value that cannot be written.
  func write(_ draft: RequestDraft) -> WireRequest? {
    var pieces = Pieces()
    let arguments = draft.arguments.filter { !isCredential($0.parameter, draft.credentials) }
    for argument in arguments + draft.repeated {
      guard pieces.add(argument) else { return nil }
    }
    guard var target = path(pieces.path) else { return nil }
    var fields = HTTPFields()
    fields[.accept] = "*/*"
    fields[.userAgent] = "understudy"
    for (name, value) in pieces.fields {
      guard let name = HTTPField.Name(name) else { return nil }
      fields[name] = value
    }
    var bytes: [UInt8] = []
    switch draft.body {
    case nil: break
    case .bytes(let raw, let contentType)?:
      bytes = raw
      fields[.contentType] = contentType
    case .value(let value, let media)?:
      guard let encoded = BodyEncoder(media, schemas: schemas).encode(value) else { return nil }
      bytes = encoded.bytes
      if fields[.contentType] == nil { fields[.contentType] = encoded.contentType }
    }
    for (name, value) in headers where draft.credentials == .good || !credentials.isPlace(ofHeader: name) {
      guard let name = HTTPField.Name(name) else { continue }
      fields[name] = value
    }
    for (name, value) in framing(bytes) { fields[name] = value }
    credentials.write(draft.credentials, for: operation, &fields, &pieces.query, &pieces.cookies)
    if !pieces.cookies.isEmpty {
      fields[.cookie] = ([fields[.cookie]].compactMap(\.self) + pieces.cookies).joined(separator: "; ")
    }
    if !pieces.query.isEmpty { target += "?" + pieces.query.joined(separator: "&") }
    guard let method = HTTPRequest.Method(draft.method) else { return nil }
    return WireRequest(
      HTTPRequest(
        method: method, scheme: self.target.scheme, authority: self.target.authority, path: target,
        headerFields: fields), body: bytes)
  }

  /// The fields of the client's own that the contract declares as parameters, as the client writes them.
  private func framing(_ body: [UInt8]) -> [(HTTPField.Name, String)] {
    operation.parameters.filter { FramingFields.contains($0) }.compactMap { parameter in
      switch parameter.name.lowercased() {
      case "content-length": (.contentLength, String(body.count))
      case "host": HTTPField.Name("Host").map { ($0, target.authority) }
      default: nil
      }
    }
  }

  /// Whether a parameter holds a credential: empty without a good credential, otherwise written once.
  private func isCredential(_ parameter: Parameter, _ kind: RequestDraft.Credentials) -> Bool {
    credentials.isPlace(of: parameter, in: operation)
      && (kind != .good || credentials.writes(parameter, for: operation))
  }

  /// The path with values for its expressions; `nil` where one has none.
  private func path(_ values: [(name: String, text: String)]) -> String? {
    let template = String(decoding: operation.path.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    return PathTemplate(template, isRoute: operation.isRoute).filled(with: values).map { base + $0 }
  }

  private struct Pieces {
    var path: [(name: String, text: String)] = []
    var query: [String] = []
    var fields: [(name: String, text: String)] = []
    var cookies: [String] = []

    mutating func add(_ argument: RequestDraft.Argument) -> Bool {
      switch ParameterEncoder(argument.parameter).encode(argument.value) {
      case .path(let text)?: path.append((argument.parameter.name, text))
      case .query(let pieces)?: query += pieces.filter { !$0.isEmpty }
      case .header(let text)?: fields.append((argument.parameter.name, text))
      case .cookies(let pairs)?: cookies += pairs
      case nil: return false
      }
      return true
    }
  }
}
