import UnderstudySystem

/// Makes the responses of one operation from examples and samples on first use: a client needs few of thousands.
package final class ContractResponses: Sendable {
  private let operation: Operation
  private let schemas: SchemaLibrary
  private let access: FileAccess
  private let headers: SampleHeaders
  private let writer: BodyWriter
  /// The first answers that were made. A failed search for a sample takes longest, and is not repeated either.
  private let first = GrowingTable<Key, Outcome>(limit: ContractResponses.cacheLimit)
  /// Further ones, whose seeds are the choice of clients.
  private let cache = Lock<[Key: Outcome]>([:])

  package struct Made: Sendable {
    package let source: ReplySource.Content
    package let prepared: PreparedResponse
    var holdsExample: Bool
    /// Why its body only resembles the schema; `nil` for any other.
    var shortcoming: SelectionProblem?
    let findings = ExampleFindings()

    package var response: HTTPResponse { prepared.response }
    package var body: [UInt8] { prepared.body }
  }

  typealias Outcome = Result<Made, SelectionProblem>

  struct Key: Hashable {
    var status: Response.Status
    var code: Int
    var mediaType: String
    var origin: Origin
    var asJSON: Bool

    enum Origin: Hashable { case contract, example(name: String?), sample(seed: String), bestEffort(seed: String) }
  }

  private static let cacheLimit = 200

  init(operation: Operation, schemas: SchemaLibrary, access: FileAccess) {
    self.operation = operation
    self.access = access
    self.schemas = schemas
    headers = SampleHeaders(schemas: schemas)
    writer = BodyWriter(schemas: schemas)
  }

  /// The answer for a status without a documented body.
  package func empty(_ cell: CompiledCell, code: Int, by rendering: Rendering) throws(SelectionProblem) -> Made {
    let key = Key(status: cell.status, code: code, mediaType: "", origin: .contract, asJSON: false)
    if let known = known(key, rendering) { return try known.get() }
    return keep(made(key, cell, seed: "0", by: rendering), as: key, rendering)
  }

  /// The response of a media type: its first readable example, or a sample if it has none; `isDynamic` asks for a
  /// sample in any case, `asJSON` for JSON under a media type that cannot hold objects and arrays.
  package func answer(
    in content: MediaTypeObject, _ cell: CompiledCell, code: Int, seed: String, isDynamic: Bool = false,
    asJSON: Bool = false, by rendering: Rendering = Rendering()
  ) throws(SelectionProblem) -> Made {
    let hasSchema = content.schema != nil || content.itemSchema != nil
    let examples = isDynamic ? [] : content.examples
    if let example = examples.first(where: isReadable) ?? (hasSchema ? nil : examples.first) {
      return try self.example(example, in: content, cell, code: code, asJSON: asJSON, by: rendering)
    }
    return try sample(of: content, cell, code: code, seed: seed, asJSON: asJSON, by: rendering)
  }

  /// Whether an example is in the contract or in a readable file: a reference to another machine is not followed.
  private func isReadable(_ example: Example) -> Bool {
    guard case .external = example.value else { return true }
    return example.externalPath.map { FileSystem.isRegular($0) && access.available(to: example.node.path).allows($0) }
      ?? false
  }

  package func example(
    _ example: Example, in content: MediaTypeObject, _ cell: CompiledCell, code: Int, asJSON: Bool = true,
    by rendering: Rendering = Rendering()
  ) throws(SelectionProblem) -> Made {
    let key = Key(
      status: cell.status, code: code, mediaType: content.range, origin: .example(name: example.name), asJSON: asJSON)
    return try cached(key, content, cell, seed: "0", by: rendering) { () throws(SelectionProblem) in
      switch example.value {
      case .data(let value): return .value(value)
      case .serialized(let text): return .text(Array(text.utf8))
      case .external(let reference):
        let access = access.available(to: example.node.path)
        guard let path = example.externalPath, let source = try? FileSystem.read(path, within: access) else {
          throw noBody("the example's externalValue `\(reference)` cannot be read", cell)
        }
        return .text(source.bytes)
      }
    }
  }

  /// The answer with a generated body, the same for the same seed.
  func sample(
    of content: MediaTypeObject, _ cell: CompiledCell, code: Int, seed: String, asJSON: Bool = true,
    by rendering: Rendering = Rendering()
  ) throws(SelectionProblem) -> Made {
    let key = Key(
      status: cell.status, code: code, mediaType: content.range, origin: .sample(seed: seed), asJSON: asJSON)
    return try cached(key, content, cell, seed: seed, by: rendering) { () throws(SelectionProblem) in
      if content.schema == nil, content.itemSchema == nil { return undescribed(content) }
      guard let value = sampleValue(of: content, seed: seed, within: rendering.budget) else {
        var problem = noBody("no valid sample was found for the schema of \(operation.id)/\(cell.status)", cell)
        problem.kind = .noSample
        throw problem
      }
      return .value(withStatus(code, in: value, content, within: rendering.budget))
    }
  }

  private static let statusNames: Set<String> = ["code", "status", "statusCode", "status_code"]

  /// The sample of an error with the status that is sent where it holds a status, if the schema allows that.
  private func withStatus(
    _ code: Int, in value: JSON, _ content: MediaTypeObject, within budget: WorkBudget?
  ) -> JSON {
    guard code >= 400, let schema = content.schema,
      value.members.contains(where: { Self.statusNames.contains($0.name) && $0.value.int == 200 })
    else { return value }
    let changed = JSON.object(
      value.members.map { member in
        let isStatus = Self.statusNames.contains(member.name) && member.value.int == 200
        return (member.name, isStatus ? .integer(code) : member.value)
      })
    return schemas.schema(at: schema, direction: .response).accepts(changed, within: budget) ? changed : value
  }

  /// The answer with a body that resembles the schema, for one that `sample` finds none for.
  package func bestEffort(
    of content: MediaTypeObject, _ cell: CompiledCell, code: Int, seed: String, after problem: SelectionProblem,
    by rendering: Rendering
  ) throws(SelectionProblem) -> Made {
    let key = Key(
      status: cell.status, code: code, mediaType: content.range, origin: .bestEffort(seed: seed), asJSON: true)
    return try cached(key, content, cell, seed: seed, shortcoming: problem, by: rendering) {
      () throws(SelectionProblem) in
      let generator = SampleGenerator(schemas: schemas, seed: seed)
      let described = ContentSchemas(content, schemas)
      if let schema = described.whole {
        return .value(generator.bestEffort(of: schema, direction: .response, within: rendering.budget))
      }
      guard let item = described.item else { throw problem }
      return .value(.array([generator.bestEffort(of: item, direction: .response, within: rendering.budget)]))
    }
  }

  // MARK: - Parts

  private enum Source {
    case value(JSON)
    case text([UInt8])
  }

  /// The smallest valid body of a media type, for a contract that documents nothing else.
  private func undescribed(_ content: MediaTypeObject) -> Source {
    switch MediaRange(writer.concreteType(of: content))?.syntax {
    case .json?, .xml?: .value(.object([]))
    case .multipart?: .value(.object([("part", "text")]))
    case .text?, .binary?, .form?, .jsonSequence?, .eventStream?, nil: .text([])
    }
  }

  private func sampleValue(of content: MediaTypeObject, seed: String, within budget: WorkBudget?) -> JSON? {
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    let described = ContentSchemas(content, schemas)
    guard let itemSchema = described.item else {
      return described.whole.flatMap { generator.sample(of: $0, direction: .response, within: budget) }
    }
    // Two items, so that a client has to separate them.
    let items = [generator, SampleGenerator(schemas: schemas, seed: seed + "'")].compactMap {
      $0.sample(of: itemSchema, direction: .response, within: budget)
    }
    guard let schema = described.whole else { return items.isEmpty ? nil : .array(items) }
    // `schema` is about the whole, `itemSchema` about each item (OAS 3.2, 4.14.3.1).
    let whole = schemas.schema(at: schema, direction: .response)
    for count in [2, 1, 0] where count <= items.count {
      let value = JSON.array(Array(items.prefix(count)))
      if whole.accepts(value, within: budget) { return value }
    }
    let item = schemas.schema(at: itemSchema, direction: .response)
    return generator.sample(of: schema, direction: .response, within: budget).flatMap { sample in
      sample.elements.allSatisfy { item.accepts($0, within: budget) } ? sample : nil
    }
  }

  /// The cached answer of a key, else a new one with the value or the bytes of `body`.
  private func cached(
    _ key: Key, _ content: MediaTypeObject, _ cell: CompiledCell, seed: String, shortcoming: SelectionProblem? = nil,
    by rendering: Rendering, _ body: () throws(SelectionProblem) -> Source
  ) throws(SelectionProblem) -> Made {
    if let known = known(key, rendering) { return try known.get() }
    guard !CompiledCell.isBodiless(key.code) else {
      return keep(made(key, cell, seed: seed, by: rendering), as: key, rendering)
    }
    do throws(SelectionProblem) {
      let written = try written(try body(), as: content, cell, asJSON: key.asJSON)
      var new = made(key, cell, seed: seed, written, by: rendering)
      new.shortcoming = shortcoming
      return keep(new, as: key, rendering)
    } catch {
      rendering[key] = .failure(error)
      // A missing file may be there at the next request.
      if error.kind == .noSample { keep(.failure(error), as: key, rendering) }
      throw error
    }
  }

  private func made(
    _ key: Key, _ cell: CompiledCell, seed: String, _ written: BodyWriter.Written? = nil, by rendering: Rendering
  ) -> Made {
    let source = source(of: key)
    var fields = headers.all(of: cell.response, code: key.code, seed: seed, within: rendering.budget)
    if key.code == 405, !fields.contains(where: { FieldSyntax.equalIgnoringCase($0.name.utf8, "allow".utf8) }) {
      // It names the methods that there are (RFC 9110, 15.5.6).
      let methods = PathItemKeys.methods(.openAPI32).filter { operation.pathNode[$0] != nil }
      fields.append((name: "Allow", value: methods.map { $0.uppercased() }.joined(separator: ", ")))
    }
    if let written { fields.insert((name: "Content-Type", value: written.contentType), at: 0) }
    var holdsExample = cell.response?.headers.contains { !$0.examples.isEmpty } ?? false
    if case .example = key.origin { holdsExample = true }
    let response = HTTPResponse(code: key.code, fields, source: ReplySource(source))
    return Made(
      source: source, prepared: PreparedResponse(response: response, body: written?.bytes ?? []),
      holdsExample: holdsExample)
  }

  private func known(_ key: Key, _ rendering: Rendering) -> Outcome? {
    if let known = first[key] ?? rendering[key] { return known }
    return first.isFull ? cache.withLock { $0[key] } : nil
  }

  private func keep(_ new: Made, as key: Key, _ rendering: Rendering) -> Made {
    keep(.success(new), as: key, rendering)
    return new
  }

  private func keep(_ new: Outcome, as key: Key, _ rendering: Rendering) {
    guard rendering.isWhole else { return }
    rendering[key] = new
    guard rendering.isShared else { return }
    if first.add(new, for: key) { return }
    cache.withLock { cache in
      // A bound keeps a hostile client from filling the memory.
      if cache.count >= Self.cacheLimit { cache.removeAll() }
      cache[key] = new
    }
  }

  private func written(
    _ source: Source, as content: MediaTypeObject, _ cell: CompiledCell, asJSON: Bool
  ) throws(SelectionProblem) -> BodyWriter.Written {
    switch source {
    case .text(let bytes): return writer.body(text: bytes, as: content)
    case .value(let value):
      do throws(BodyWriter.Problem) {
        return try writer.body(of: value, as: content, asJSON: asJSON)
      } catch {
        var problem = noBody(
          "\(operation.id)/\(cell.status) \(error.message)", cell, "the body as a fixture", error.fileExtension)
        if error.mayBeJSON { problem.kind = .noForm }
        throw problem
      }
    }
  }

  private func source(of key: Key) -> ReplySource.Content {
    switch key.origin {
    case .contract: .contract(ResponseName(operation: operation.id, status: key.status))
    case .example(let name): .example(ResponseName(operation: operation.id, status: key.status, name: name))
    case .sample, .bestEffort: .sample(ResponseName(operation: operation.id, status: key.status))
    }
  }

  private func noBody(
    _ message: String, _ cell: CompiledCell, _ what: String = "a fixture", _ fileExtension: String = "json"
  ) -> SelectionProblem {
    SelectionProblem(
      kind: .noBody, message: message, help: "write \(what): \(operation.id)/\(cell.status).\(fileExtension)")
  }
}

extension HTTPResponse {
  /// A head with `Understudy-Reply`, without `Deprecation`: that is a date (RFC 9745, 2.1), which no contract has.
  package init(code: Int, _ headers: [(name: String, value: String)], source: ReplySource) {
    var fields = HTTPFields(headers)
    fields[.understudyReply] = source.fieldValue
    self.init(status: .init(integerLiteral: code), headerFields: fields)
  }
}

extension HTTPField.Name {
  package static let understudyReply = HTTPField.Name("Understudy-Reply")!
}
