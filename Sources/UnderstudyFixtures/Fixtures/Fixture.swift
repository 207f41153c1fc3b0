/// One answer on disk, for an operation, a status and, for a variant, a name.
package struct Fixture: Sendable {
  /// The name of the folder.
  package var operationId: String
  package var status: Response.Status
  /// `nil` for the default of its cell.
  package var name: String?
  package var source: SourceFile
  package var summary: String?
  package var headers: [(name: String, value: String)]
  /// The headers that are not sent, though the body or the contract asks for them; in lower case.
  package var omittedHeaders: Set<String> = []
  /// `nil` where the file extension and the contract decide.
  package var contentType: String?
  package var body: Body
  /// Delays and faults, in the order of the keys `delay` and `fault`.
  package var faults: [FaultPlan] = []
  /// The requests that it answers; without it, a named variant answers only by name.
  package var when: RequestMatcher?
  /// Fixtures with a higher one are tried first; 0 by default.
  package var priority = 0
  /// Rules that this answer breaks on purpose.
  package var violates: [String]
  /// The pause before each record of a stream; empty for a body that is sent at once.
  package var pauses: [Duration] = []
  package var bodyFile: String?
  /// The templates of header fields, whose texts are the values in `headers`.
  package var headerTemplates: [FixtureTemplate] = []
  /// The description in a routes file; `nil` for a fixture that is a file.
  package var node: JSON?

  package init(
    operationId: String, status: Response.Status, name: String?, source: SourceFile, summary: String? = nil,
    headers: [(name: String, value: String)], omittedHeaders: Set<String> = [], contentType: String? = nil, body: Body,
    when: RequestMatcher? = nil, violates: [String]
  ) {
    self.operationId = operationId
    self.status = status
    self.name = name
    self.source = source
    self.summary = summary
    self.headers = headers
    self.omittedHeaders = omittedHeaders
    self.contentType = contentType
    self.body = body
    self.when = when
    self.violates = violates
  }

  package enum Body: Sendable {
    case bytes([UInt8], fileExtension: String)
    case template(FixtureTemplate)

    package var isEmpty: Bool {
      switch self {
      case .bytes(let bytes, _): bytes.isEmpty
      case .template(let template): template.text.isEmpty
      }
    }

    package var isTemplate: Bool { if case .template = self { true } else { false } }

    package var fileExtension: String {
      switch self {
      case .bytes(_, let fileExtension): fileExtension
      case .template(let template): template.fileExtension
      }
    }
  }

  /// The location for findings about the whole fixture.
  package var location: Location { Location(ofFixtureAt: source.path, node) }

  /// `readChat/200.empty`
  package var label: String { "\(operationId)/\(status)" + (name.map { "." + $0 } ?? "") }

  /// The status that is sent: for a range or `default`, the first that no narrower response documents.
  package func code(in operation: Operation) -> Int {
    let codes: any Sequence<Int>
    switch status {
    case .code(let code): return code
    case .range(let hundreds): codes = hundreds * 100...hundreds * 100 + 99
    case .default: codes = [500, 400, 300, 200] + Array(100...599)
    }
    for code in codes where operation.response(for: code)?.status == status { return code }
    return status.code
  }

  /// The documented response: a fixture of 404 may fall under `4XX` or `default`.
  package func response(in operation: Operation) -> Response? { operation.response(for: code(in: operation)) }

  /// The media type to send: its own, else the documented one that fits the extension; `nil` without a body.
  package func contentType(under response: Response?) -> String? {
    contentType
      ?? (body.isEmpty ? nil : FileExtension.mediaType(body.fileExtension, documented: response?.content ?? []))
  }

  /// The headers to send: Content-Type, the fixture's, and required headers that it does not leave out on purpose.
  package func headers(in operation: CompiledOperation) -> [(name: String, value: String)] {
    let response = response(in: operation.operation)
    var headers = headers
    if !violates.contains(Rule.responseHeaderMissing.id) {
      // A redirect that omits `Location` on purpose gets none.
      let code = violates.contains(Rule.responseLocation.id) ? 200 : code(in: operation.operation)
      headers += SampleHeaders(schemas: operation.schemas).missing(from: headers, of: response, code: code)
        .filter { !omittedHeaders.contains(FieldSyntax.lowercased($0.name.utf8)) }
    }
    guard !omittedHeaders.contains("content-type"), let contentType = contentType(under: response),
      !headers.contains(where: { $0.name.lowercased() == "content-type" })
    else { return headers }
    return [("Content-Type", contentType)] + headers
  }

  /// Whether the fixture marks a refusal or a failure as intended: its `when` matches the request, and the status is its own.
  package func expects(_ status: Int, for request: any RequestValues) -> Bool {
    guard let when else { return false }
    let isOfStatus =
      switch self.status {
      case .code(let code): code == status
      case .range(let hundreds): hundreds == status / 100
      case .default: true
      }
    return isOfStatus && when.matches(request)
  }

  /// The answer with its rendered body, ready to be validated; a fault does not count.
  package func answer(_ body: [UInt8], in operation: CompiledOperation) -> ResponseView {
    answer(body, HTTPFields(headers(in: operation)), in: operation)
  }

  func answer(_ body: [UInt8], _ fields: HTTPFields, in operation: CompiledOperation) -> ResponseView {
    ResponseView(
      status: code(in: operation.operation), fields: fields, body: body,
      method: operation.operation.method, hadBody: true, askedForPart: true)
  }
}

extension Location {
  /// The location of a fixture: its description in a routes file, or its file.
  init(ofFixtureAt path: String, _ node: JSON?) {
    self = node.map { Location(start: $0) } ?? Location(path: path)
  }
}

/// The parts of a fixture's file name: `<status>[.<name>].<extension>`.
package struct FixtureFileName {
  package var status: Response.Status
  package var name: String?
  package var fileExtension: String

  /// `nil` when the name does not start with a status or has no extension.
  package init?(_ fileName: String) {
    let bytes = fileName.utf8
    guard let first = bytes.firstIndex(of: UInt8(ascii: ".")), let last = bytes.lastIndex(of: UInt8(ascii: ".")),
      let status = Response.Status(String(fileName[..<first]))
    else { return nil }
    let name = first == last ? nil : String(fileName[bytes.index(after: first)..<last])
    fileExtension = fileName[bytes.index(after: last)...].lowercased()
    guard name?.isEmpty != true, !fileExtension.isEmpty else { return nil }
    self.status = status
    self.name = name
  }
}
