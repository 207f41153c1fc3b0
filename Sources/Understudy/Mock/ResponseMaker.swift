import HTTPTypes
import Synchronization

/// Makes answers out of examples and samples, once for each, and the heads of all answers.
///
/// Examples are rendered at the first question: a large contract has thousands, a client asks for a few.
final class ResponseMaker: Sendable {
  private let operation: Operation
  private let schemas: SchemaLibrary
  private let made = Mutex<[String: Made]>([:])

  private struct Made: Sendable {
    var response: HTTPResponse
    var body: [UInt8]
  }

  init(operation: Operation, schemas: SchemaLibrary) {
    self.operation = operation
    self.schemas = schemas
  }

  /// A response head with `Understudy-Reply`, and `Deprecation` where the operation is deprecated.
  func head(code: Int, headers: [(name: String, value: String)], reason: String) -> HTTPResponse {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    if operation.isDeprecated { fields[.deprecation] = "true" }
    // Header values are ASCII (RFC 9110, 5.5); fixture names need not be.
    fields[.understudyReply] = PercentEncoding.encode(reason, keeping: " /:*{}=,")
    return HTTPResponse(status: .init(code: code), headerFields: fields)
  }

  /// The answer for a status that describes no body.
  func empty(cell: Cell, code: Int) -> Selection {
    let reason = "contract \(operation.id)/\(cell.status)"
    return Selection(
      content: .made(head(code: code, headers: sampleHeaders(cell, seed: "0"), reason: reason), body: []), reason: reason)
  }

  func example(_ example: Example, in content: MediaTypeObject, cell: Cell, code: Int) throws(SelectionProblem) -> Selection {
    let reason = "example \(operation.id)/\(cell.status)" + (example.name.map { ".\($0)" } ?? "")
    return try cached("\(reason) \(content.range) \(code)", reason: reason) { () throws(SelectionProblem) in
      let body: [UInt8]
      switch example.value {
      case .data(let value): body = try bytes(of: value, as: content.range, cell: cell)
      case .serialized(let text): body = Array(text.utf8)
      case .external(let reference):
        let path = Path.join(Path.folder(of: example.node.document.source?.path ?? ""), reference)
        guard !URIReference(reference).isRemote, let source = try? FileSystem.read(path) else {
          throw SelectionProblem(
            kind: .noBody, message: "the example's externalValue `\(reference)` cannot be read",
            help: "write a fixture: \(operation.id)/\(cell.status).json")
        }
        body = source.bytes
      }
      return (body, sampleHeaders(cell, seed: "0"))
    }
  }

  func sample(of content: MediaTypeObject, cell: Cell, code: Int, seed: String) throws(SelectionProblem) -> Selection {
    let reason = "sample \(operation.id)/\(cell.status)"
    return try cached("\(reason) \(content.range) \(code) \(seed)", reason: reason) { () throws(SelectionProblem) in
      guard let schema = content.schema else { return ([], sampleHeaders(cell, seed: seed)) }
      let generator = SampleGenerator(schemas: schemas, seed: seed)
      guard let value = generator.sample(of: schema, direction: .response) else {
        throw SelectionProblem(
          kind: .noBody, message: "no value was found that fits the schema of \(operation.id)/\(cell.status)",
          help: "write a fixture: \(operation.id)/\(cell.status).json")
      }
      return (try bytes(of: value, as: content.range, cell: cell), sampleHeaders(cell, seed: seed))
    }
  }

  // MARK: - Parts

  private func cached(
    _ key: String, reason: String,
    _ make: () throws(SelectionProblem) -> (body: [UInt8], headers: [(name: String, value: String)])
  ) throws(SelectionProblem) -> Selection {
    _ = key
    let (body, headers) = try make()
    return Selection(content: .made(head(code: 200, headers: headers, reason: reason), body: body), reason: reason)
  }

  private func bytes(of value: JSON, as range: String, cell: Cell) throws(SelectionProblem) -> [UInt8] { [] }

  private func sampleHeaders(_ cell: Cell, seed: String) -> [(name: String, value: String)] { [] }
}
