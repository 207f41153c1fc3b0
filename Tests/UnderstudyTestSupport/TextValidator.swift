package import HTTPTypes
package import UnderstudyMock

/// Validates requests and responses in text form: `POST /pets`, header lines, an empty line, a body.
package struct TextValidator {
  /// The contract.
  package let contract: CompiledContract
  /// The options of every validation.
  package let options: ValidationOptions

  /// The validator of a contract that refers to other documents.
  package init(_ path: String, from documents: DocumentStore, options: ValidationOptions = ValidationOptions()) throws {
    let (read, diagnostics) = OpenAPIReader.read(path, from: documents)
    guard let api = read else { throw ContractUnusable(diagnostics) }
    contract = CompiledContract(api, from: documents, basePaths: .fixed(""))
    self.options = options
  }

  /// The request of a text.
  package static func request(_ text: String) -> (request: HTTPRequest, body: [UInt8]) {
    let (head, fields, body) = parts(text)
    let words = head.split(separator: " ", maxSplits: 1).map(String.init)
    let request = HTTPRequest(
      method: HTTPRequest.Method(words[0]) ?? .get, scheme: "http",
      authority: fields[.init("Host") ?? .accept] ?? "pets.example", path: words.count > 1 ? words[1] : "/",
      headerFields: fields)
    return (request, body)
  }

  /// The operation of a request, and the request for its validator; a wrong method selects any operation of its path.
  package func match(
    _ request: HTTPRequest, body: [UInt8] = []
  ) -> (operation: CompiledOperation, view: RequestView, isExact: Bool)? {
    let target = request.path ?? "/"
    switch contract.router.route(request.method.rawValue, target) {
    case .match(let match):
      let view = RequestView(request: request, target: target, captures: match.captures, body: body)
      return (contract.operations[match.operation], view, true)
    case .wrongMethod(_, let operation, _):
      return (
        contract.operations[operation], RequestView(request: request, target: target, captures: [], body: body), false
      )
    case .notFound: return nil
    }
  }

  /// The findings about a request and its optional response (`200`, header lines, an empty line, a body).
  package func validate(
    _ text: String, _ answer: String = "", within budget: WorkBudget? = nil
  ) -> ValidationResult {
    let (request, body) = Self.request(text)
    guard let (operation, view, isExact) = match(request, body: body) else { return ValidationResult() }
    let validated = operation.requestValidator.validation(of: view, options, within: budget)
    if answer.isEmpty { return isExact ? validated : ValidationResult() }
    let (head, fields, content) = Self.parts(answer)
    let status = HTTPResponse.Status(code: Int(head) ?? 0)
    var response = ResponseView(HTTPResponse(status: status, headerFields: fields), body: content, to: view)
    response.status = Int(head) ?? 0
    return isExact
      ? operation.exchangeValidator(options).validate(validated, response)
      : operation.responseValidator.validate(response, options)
  }

  private static func parts(_ text: String) -> (head: String, fields: HTTPFields, body: [UInt8]) {
    let bytes = Array(text.utf8)
    let split = bytes.firstRange(of: [10, 10])
    let lines = bytes[..<(split?.lowerBound ?? bytes.count)].split(separator: 10).map {
      String(decoding: $0, as: UTF8.self)
    }
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
      guard let name = HTTPField.Name(pair[0]), pair.count == 2 else { continue }
      fields.append(HTTPField(name: name, value: String(pair[1].drop { $0 == " " })))
    }
    return (lines.first ?? "", fields, split.map { Array(bytes[$0.upperBound...]) } ?? [])
  }
}

extension ValidationResult {
  /// `rule pointer` of each finding.
  package var places: [String] {
    findings.map { "\($0.rule.id) \($0.location?.pointer ?? "")" }
  }
}
