/// A repaired file, with fewer findings.
package struct FixtureRepair: Sendable {
  package var path: String
  package var old: [UInt8]
  package var new: [UInt8]

  package var diff: String { UnifiedDiff.text(old, new, path: path) }
}

/// Makes safe repairs: each leaves the rest of its file as it is, and is kept only when it reduces the findings.
struct FixtureRepairer: Sendable {
  let operation: Operation
  let schemas: SchemaLibrary
  let sortsMembers: Bool
  /// The number of findings about a fixture's text; `nil` when it cannot be served.
  let findings: @Sendable (_ source: SourceFile) -> Int?

  /// The most rounds: an added member may lack members itself.
  private static let roundLimit = 8

  /// `nil` where no repair is possible; fixtures that break their contract on purpose stay as they are.
  func repair(_ fixture: Fixture) -> FixtureRepair? {
    guard fixture.violates.isEmpty, case .bytes = fixture.body else { return nil }
    let isDescription = ["yaml", "yml"].contains(Path.fileExtension(of: fixture.source.path))
    guard isDescription || Path.fileExtension(of: fixture.source.path) == "json" else { return nil }
    guard let response = fixture.response(in: operation), let content = content(of: fixture, response),
      let node = content.schema
    else { return nil }
    let schema = schemas.schema(at: node, direction: .response)
    var source = fixture.source
    for _ in 0..<Self.roundLimit {
      guard let root = body(of: source, isDescription), let before = findings(source) else { break }
      var edits = edits(schema.failures(root), root, content, source, isDescription)
      if edits.isEmpty, sortsMembers, !isDescription {
        var order = MemberOrder(source.bytes)
        order.sort(root, by: schemas.resolved(node))
        edits = order.edits
      }
      let next = SourceFile(path: source.path, bytes: TextEdit.apply(edits, to: source.bytes))
      guard !edits.isEmpty, next.bytes != source.bytes, let after = findings(next) else { break }
      guard after < before || (after == before && schema.failures(root).isEmpty) else { break }
      source = next
    }
    guard source.bytes != fixture.source.bytes else { return nil }
    return FixtureRepair(path: source.path, old: fixture.source.bytes, new: source.bytes)
  }

  private func content(of fixture: Fixture, _ response: Response) -> MediaTypeObject? {
    guard let type = fixture.contentType(under: response).flatMap({ MediaRange($0) }), type.syntax == .json else {
      return nil
    }
    let ranges = response.content.compactMap { MediaRange($0.range) }
    guard ranges.count == response.content.count else { return nil }
    return MediaRange.mostSpecific(of: ranges, for: type).map { response.content[$0] }
  }

  private func body(of source: SourceFile, _ isDescription: Bool) -> JSON? {
    guard isDescription else { return (try? JSONParser.parse(source))?.root }
    return (try? TextDocument.read(source))?.root["body"]
  }

  private func edits(
    _ failures: [SchemaFailure], _ root: JSON, _ content: MediaTypeObject, _ source: SourceFile, _ isDescription: Bool
  ) -> [TextEdit] {
    var edits: [TextEdit] = []
    // Missing members of one object are inserted together.
    var lacking: [NodeID: (object: JSON, members: [(name: String, value: JSON)])] = [:]
    var order: [NodeID] = []
    for failure in failures {
      switch failure.keyword {
      case "format": edits += date(failure, source).map { [$0] } ?? []
      case "required" where !isDescription && failure.value.isObject:
        let id = failure.value.id
        let known = lacking[id]?.members ?? []
        let members = missing(failure, content).filter { member in !known.contains { $0.name.utf8Equals(member.name) } }
        if lacking[id] == nil { order.append(id) }
        lacking[id] = (failure.value, known + members)
      default: break
      }
    }
    return edits
      + order.compactMap { lacking[$0] }.compactMap {
        MemberInsertion.edit($0.members, into: $0.object, in: source.bytes)
      }
  }

  private func date(_ failure: SchemaFailure, _ source: SourceFile) -> TextEdit? {
    guard let text = failure.value.string, let range = failure.value.range,
      !source.bytes[range.clamped(to: 0..<source.bytes.count)].contains(UInt8(ascii: "\n"))
    else { return nil }
    let repaired: String? =
      switch failure.schema.text {
      case "date-time": DateText.dateTime(text)
      case "date": DateText.date(text)
      default: nil
      }
    guard let repaired, !repaired.utf8Equals(text) else { return nil }
    return TextEdit(range, Array("\"\(repaired)\"".utf8))
  }

  /// The missing members of an object, from an example of the contract, else from a sample.
  private func missing(_ failure: SchemaFailure, _ content: MediaTypeObject) -> [(name: String, value: JSON)] {
    let names = failure.schema.isArray ? Array(failure.schema.elements) : [failure.schema]
    let owner = owner(of: failure.schema)
    return names.compactMap { name in
      guard name.isString, failure.value[name.text] == nil else { return nil }
      let declared = owner.flatMap { schemas.resolved($0).declaredProperty(name.text) }
      if declared?.sets(.writeOnly) == true { return nil }
      let property = declared?.node
      let schema = property.map { schemas.schema(at: $0, direction: .response) }
      let shown = content.examples.lazy.compactMap(\.data).compactMap { $0[failure.instance]?[name.text] }.first {
        schema?.accepts($0) ?? true
      }
      if let shown { return (name.text, shown) }
      guard let property else { return nil }
      let generator = SampleGenerator(schemas: schemas, seed: "0")
      return generator.sample(of: property, direction: .response).map { (name.text, $0) }
    }
  }

  /// The schema object of a `required`, given its value or one of its names.
  private func owner(of node: JSON) -> JSON? {
    var tokens = node.pointer.tokens
    while let last = tokens.popLast() {
      if last == "required" { return JSON(document: node.document, index: 0)[JSONPointer(tokens)] }
    }
    return nil
  }
}
