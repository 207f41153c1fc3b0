import Synchronization

/// Makes the answers of one operation from examples and samples, each on first use: a large contract has thousands, a
/// client asks for a few.
package final class ContractResponses: Sendable {
  private let operation: Operation
  private let schemas: SchemaLibrary
  private let headers: SampleHeaders
  private let writer: BodyWriter
  private let made = Mutex<[Key: Made]>([:])

  /// A response and its source.
  package struct Made: Sendable {
    /// `example readChat/200.first`, `sample readChat/200`, `contract readChat/204`
    package var reason: String
    package var response: HTTPResponse
    package var body: [UInt8]
  }

  private struct Key: Hashable {
    var status: Response.Status
    var code: Int
    var mediaType: String
    var origin: Origin

    enum Origin: Hashable { case example(name: String?), sample(seed: String) }
  }

  private static let cacheLimit = 200

  init(operation: Operation, schemas: SchemaLibrary, specification: Specification) {
    self.operation = operation
    self.schemas = schemas
    headers = SampleHeaders(schemas: schemas)
    writer = BodyWriter(schemas: schemas, specification: specification)
  }

  /// The answer for a status without a documented body.
  package func empty(_ cell: Cell, code: Int) -> Made {
    let reason = "contract \(operation.id)/\(cell.status)"
    let headers = headers.all(of: cell.response, seed: "0")
    return Made(reason: reason, response: HTTPResponse(code: code, headers, reason: reason), body: [])
  }

  package func example(
    _ example: Example, in content: MediaTypeObject, _ cell: Cell, code: Int
  ) throws(SelectionProblem) -> Made {
    let key = Key(status: cell.status, code: code, mediaType: content.range, origin: .example(name: example.name))
    return try cached(key, content, cell, seed: "0") { () throws(SelectionProblem) in
      switch example.value {
      case .data(let value): return (value, nil)
      case .serialized(let text): return (nil, Array(text.utf8))
      case .external(let reference):
        guard let path = example.externalPath, let source = try? FileSystem.read(path, onlyRegular: true) else {
          throw noBody("the example's externalValue `\(reference)` cannot be read", cell)
        }
        return (nil, source.bytes)
      }
    }
  }

  /// The answer with a generated body, the same for the same seed.
  package func sample(
    of content: MediaTypeObject, _ cell: Cell, code: Int, seed: String
  ) throws(SelectionProblem) -> Made {
    let key = Key(status: cell.status, code: code, mediaType: content.range, origin: .sample(seed: seed))
    return try cached(key, content, cell, seed: seed) { () throws(SelectionProblem) in
      if content.schema == nil, content.itemSchema == nil { return (nil, []) }
      guard let value = sampleValue(of: content, seed: seed) else {
        throw noBody("no valid sample was found for the schema of \(operation.id)/\(cell.status)", cell)
      }
      return (value, nil)
    }
  }

  private func sampleValue(of content: MediaTypeObject, seed: String) -> JSON? {
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    guard let itemSchema = content.itemSchema else {
      return content.schema.flatMap { generator.sample(of: $0, direction: .response) }
    }
    // Two items, so that a client has to separate them.
    let items = [generator, SampleGenerator(schemas: schemas, seed: seed + "'")].compactMap {
      $0.sample(of: itemSchema, direction: .response)
    }
    guard let schema = content.schema else { return items.isEmpty ? nil : .array(items) }
    // `schema` is about the whole, `itemSchema` about each item (OAS 3.2, 4.14.3.1).
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

  /// The cached answer of a key, else a new one with the value or the bytes of `body`.
  private func cached(
    _ key: Key, _ content: MediaTypeObject, _ cell: Cell, seed: String,
    _ body: () throws(SelectionProblem) -> (value: JSON?, bytes: [UInt8]?)
  ) throws(SelectionProblem) -> Made {
    if let known = made.withLock({ $0[key] }) { return known }
    let (value, text) = try body()
    var bytes = text ?? []
    if let value {
      do throws(BodyWriter.Problem) {
        bytes = try writer.bytes(of: value, as: content)
      } catch {
        throw noBody(
          "\(operation.id)/\(cell.status) \(error.message)", cell, "the body as a fixture", error.fileExtension)
      }
    }
    let type = (name: "Content-Type", value: writer.contentType(of: value, as: content))
    let reason =
      switch key.origin {
      case .example(let name): "example \(operation.id)/\(key.status)" + (name.map { ".\($0)" } ?? "")
      case .sample: "sample \(operation.id)/\(key.status)"
      }
    let response = HTTPResponse(
      code: key.code, [type] + headers.all(of: cell.response, seed: seed), reason: reason)
    let new = Made(reason: reason, response: response, body: bytes)
    made.withLock { cache in
      // Clients choose seeds: the limit keeps a hostile client from filling the memory.
      if cache.count >= Self.cacheLimit { cache.removeAll() }
      cache[key] = new
    }
    return new
  }

  private func noBody(
    _ message: String, _ cell: Cell, _ what: String = "a fixture", _ fileExtension: String = "json"
  ) -> SelectionProblem {
    SelectionProblem(
      kind: .noBody, message: message, help: "write \(what): \(operation.id)/\(cell.status).\(fileExtension)")
  }
}

extension HTTPResponse {
  /// A head with `Understudy-Reply`. `Deprecation` is not added: its value is a date (RFC 9745, section 2.1), and no
  /// contract has it.
  package init(code: Int, _ headers: [(name: String, value: String)], reason: String) {
    var fields = HTTPFields(headers)
    // Header values are ASCII (RFC 9110, 5.5), fixture names need not be.
    fields[.understudyReply] = PercentEncoding.encode(reason, keeping: " /:*{}=,")
    self.init(status: .init(integerLiteral: code), headerFields: fields)
  }
}

extension HTTPField.Name {
  static let understudyReply = HTTPField.Name("Understudy-Reply")!
}
