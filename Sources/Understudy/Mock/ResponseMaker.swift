import HTTPTypes
import JSONSchema
import SourceText
import Synchronization

/// Makes answers out of examples and samples, once for each, and the heads of all answers.
///
/// Examples are rendered at the first question: a large contract has thousands, a client asks for a few.
final class ResponseMaker: Sendable {
  private let operation: Operation
  private let schemas: SchemaLibrary
  let headers: SampleHeaders
  private let specification: Specification
  private let made = Mutex<[Key: Made]>([:])

  /// What tells two answers of the operation apart.
  private struct Key: Hashable {
    var status: Response.Status
    var code: Int
    var mediaType: String
    var origin: Origin

    enum Origin: Hashable { case example(name: String?), sample(seed: String) }
  }

  private struct Made: Sendable {
    var reason: String
    var response: HTTPResponse
    var body: [UInt8]
  }

  init(operation: Operation, schemas: SchemaLibrary, specification: Specification) {
    self.operation = operation
    self.schemas = schemas
    headers = SampleHeaders(schemas: schemas)
    self.specification = specification
  }

  /// A response head with `Understudy-Reply`.
  ///
  /// `Deprecation` is not added: its value is a date (RFC 9745, section 2.1), and a contract knows none.
  func head(code: Int, headers: [(name: String, value: String)], reason: String) -> HTTPResponse {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    // Header values are ASCII (RFC 9110, 5.5); fixture names need not be.
    fields[.understudyReply] = PercentEncoding.encode(reason, keeping: " /:*{}=,")
    return HTTPResponse(status: .init(integerLiteral: code), headerFields: fields)
  }

  /// The answer for a status that describes no body.
  func empty(cell: Cell, code: Int) -> Selection {
    let reason = "contract \(operation.id)/\(cell.status)"
    return Selection(
      content: .made(head(code: code, headers: sampleHeaders(cell, seed: "0"), reason: reason), body: []),
      reason: reason)
  }

  func example(
    _ example: Example, in content: MediaTypeObject, cell: Cell, code: Int
  ) throws(SelectionProblem) -> Selection {
    let key = Key(status: cell.status, code: code, mediaType: content.range, origin: .example(name: example.name))
    return try cached(key) { () throws(SelectionProblem) in
      let body: [UInt8]
      var content = content
      switch example.value {
      case .data(let value):
        content = writable(content, value)
        body = try bytes(of: value, as: content, cell: cell)
      case .serialized(let text): body = Array(text.utf8)
      case .external(let reference):
        guard let path = example.externalPath, let source = try? FileSystem.read(path, onlyRegular: true) else {
          throw SelectionProblem(
            kind: .noBody, message: "the example's externalValue `\(reference)` cannot be read",
            help: "write a fixture: \(operation.id)/\(cell.status).json")
        }
        body = source.bytes
      }
      return (body, sampleHeaders(cell, contentType: content.range, seed: "0"))
    }
  }

  func sample(of content: MediaTypeObject, cell: Cell, code: Int, seed: String) throws(SelectionProblem) -> Selection {
    let key = Key(status: cell.status, code: code, mediaType: content.range, origin: .sample(seed: seed))
    return try cached(key) { () throws(SelectionProblem) in
      if content.schema == nil, content.itemSchema == nil {
        return ([], sampleHeaders(cell, contentType: content.range, seed: seed))
      }
      guard let value = sampleValue(of: content, seed: seed) else {
        throw SelectionProblem(
          kind: .noBody, message: "no value was found that fits the schema of \(operation.id)/\(cell.status)",
          help: "write a fixture: \(operation.id)/\(cell.status).json")
      }
      let content = writable(content, value)
      return (
        try bytes(of: value, as: content, cell: cell), sampleHeaders(cell, contentType: content.range, seed: seed)
      )
    }
  }

  // MARK: - Parts

  private func sampleValue(of content: MediaTypeObject, seed: String) -> JSON? {
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    guard let itemSchema = content.itemSchema else {
      return content.schema.flatMap { generator.sample(of: $0, direction: .response) }
    }
    // Two items, so that a reader has to tell them apart.
    let items = [generator, SampleGenerator(schemas: schemas, seed: seed + "'")].compactMap {
      $0.sample(of: itemSchema, direction: .response)
    }
    guard let schema = content.schema else { return items.isEmpty ? nil : .array(items) }
    // `schema` judges the whole, `itemSchema` each item (OAS 3.2, 4.14.3.1).
    let whole = schemas.schema(at: schema, direction: .response)
    for count in [2, 1, 0] where count <= items.count {
      let value = JSON.array(Array(items.prefix(count)))
      if whole.accepts(value) { return value }
    }
    let item = schemas.schema(at: itemSchema, direction: .response)
    return generator.sample(of: schema, direction: .response).flatMap {
      $0.elements.allSatisfy(item.accepts) ? $0 : nil
    }
  }

  private func cached(
    _ key: Key,
    _ make: () throws(SelectionProblem) -> (body: [UInt8], headers: [(name: String, value: String)])
  ) throws(SelectionProblem) -> Selection {
    if let known = made.withLock({ $0[key] }) {
      return Selection(content: .made(known.response, body: known.body), reason: known.reason)
    }
    let (body, headers) = try make()
    let reason = reason(of: key)
    let new = Made(reason: reason, response: head(code: key.code, headers: headers, reason: reason), body: body)
    made.withLock { cache in
      // Seeds are the client's choice: a bound keeps a hostile one from filling the memory.
      if cache.count >= Self.cacheLimit { cache.removeAll() }
      cache[key] = new
    }
    return Selection(content: .made(new.response, body: body), reason: reason)
  }

  /// `example readChat/200.first`, `sample readChat/200`
  private func reason(of key: Key) -> String {
    switch key.origin {
    case .example(let name): "example \(operation.id)/\(key.status)" + (name.map { ".\($0)" } ?? "")
    case .sample: "sample \(operation.id)/\(key.status)"
    }
  }

  private static let cacheLimit = 200

  /// In Swagger 2.0 `produces` counts for every answer of an operation: one that produces archives has its errors there
  /// too, objects with a message in them. Servers send those as JSON.
  private func writable(_ content: MediaTypeObject, _ value: JSON) -> MediaTypeObject {
    guard specification == .swagger2, value.isObject || value.isArray, MediaRange(content.range)?.isRange == false,
      MediaRange(content.range)?.syntax == .binary
    else { return content }
    var json = content
    json.range = "application/json"
    return json
  }

  /// A value written as its media type has it.
  private func bytes(of value: JSON, as content: MediaTypeObject, cell: Cell) throws(SelectionProblem) -> [UInt8] {
    let range = content.range
    switch MediaRange(range)?.syntax {
    case .json?: return JSONWriter.bytes(value)
    case .jsonSequence?:
      let lines = value.isArray ? Array(value.elements) : [value]
      // RFC 7464 puts a record separator before every text.
      let start: [UInt8] = range.utf8.firstRange(of: "json-seq".utf8) == nil ? [] : [0x1E]
      return lines.flatMap { start + JSONWriter.bytes($0) + [0x0A] }
    case .eventStream? where value.isArray: return EventStream.write(Array(value.elements))
    case .form? where value.isObject:
      return Array(FormText.write(value).utf8)
    // An example may be the document itself, as text.
    case .xml? where !(value.isString && value.text.utf8.first == UInt8(ascii: "<")):
      guard let document = XMLText.write(value, schema: content.schema, resolve: schemas.target(ofReference:)) else {
        throw SelectionProblem(
          kind: .noBody, message: "\(operation.id)/\(cell.status) has a value that XML cannot hold",
          help: "write the body as a fixture: \(operation.id)/\(cell.status).xml")
      }
      return document
    case .text?, .binary?, .eventStream?, .xml?, .form?, .multipart?, nil:
      // A `*/*` with data is most often JSON; anything else has a wire text or none that we could make.
      if value.isString || value.kind == .number { return Array(value.text.utf8) }
      if value.kind == .true || value.kind == .false { return JSONWriter.bytes(value) }
      guard MediaRange(range)?.isRange == true || MediaRange(range)?.syntax == .text else {
        throw SelectionProblem(
          kind: .noBody, message: "\(operation.id)/\(cell.status) has an example as data, but `\(range)` is not JSON",
          help: "write the body as a fixture: \(operation.id)/\(cell.status).\(FileExtension.forMediaType(range))")
      }
      return JSONWriter.bytes(value)
    }
  }

  /// The media type to send for a documented range; a range such as `image/*` gets a concrete type.
  private static func contentType(for range: String) -> String {
    guard let parsed = MediaRange(range), parsed.isRange else { return range }
    switch parsed.type {
    case "text": return "text/plain; charset=utf-8"
    case "image": return "image/png"
    case "audio": return "audio/mpeg"
    case "video": return "video/mp4"
    default: return "application/json"
    }
  }

  /// The documented headers of a response, behind its type.
  private func sampleHeaders(
    _ cell: Cell, contentType range: String? = nil, seed: String
  ) -> [(name: String, value: String)] {
    (range.map { [("Content-Type", Self.contentType(for: $0))] } ?? [])
      + headers.all(of: cell.response, seed: seed)
  }
}

extension HTTPField.Name {
  static let understudyReply = HTTPField.Name("Understudy-Reply")!
}
