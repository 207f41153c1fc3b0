/// Compares the media types of a body in two versions, and their schemas.
struct ContentDiff {
  let diff: ContractDiff
  let operation: Operation
  var status: String?
  let direction: Direction
  /// The words for the body: `request body`.
  let body: String
  /// The subject of messages about media types: `the response`.
  let owner: String
  /// The bodies to point to.
  let old: JSON
  let new: JSON
  private var changes: ChangeList { diff.changes }

  func run(_ before: [MediaTypeObject], _ after: [MediaTypeObject]) {
    if direction == .request { requests(before, after) } else { responses(before, after) }
  }

  private func add(_ rule: Rule, _ words: String, new node: JSON, old: JSON) {
    changes.add(rule, "\(owner) \(words)", new: node, old: old, about: operation, status: status)
  }

  private func place(of content: MediaTypeObject, among list: [MediaTypeObject]) -> SchemaPlace {
    var place = SchemaPlace(
      name: list.count > 1 ? "\(body) (\(content.range))" : body, direction: direction, operation: operation,
      status: status, node: content.node)
    if MediaRange(content.range).isForm { place.text = .members }
    return place
  }

  // MARK: - Requests

  private func requests(_ before: [MediaTypeObject], _ after: [MediaTypeObject]) {
    for content in before {
      guard let other = after.entry(for: content.range) else {
        add(
          .requestMediaTypeRemoved, "is no longer accepted as `\(content.range)`", new: new, old: content.node)
        continue
      }
      diff.compare(content.schema, other.schema, place(of: other, among: after))
      diff.compare(content.itemSchema, other.itemSchema, place(of: other, among: after))
      EncodingDiff(diff, operation).run(content, other)
    }
    for content in after where before.entry(for: content.range) == nil {
      add(.requestMediaTypeAdded, "is now accepted as `\(content.range)`", new: content.node, old: old)
    }
  }

  // MARK: - Responses

  private func responses(_ before: [MediaTypeObject], _ after: [MediaTypeObject]) {
    for content in before {
      let range = MediaRange(content.range)
      let isLeft = after.contains { other in
        MediaRange(other.range).covers(range) || range.covers(MediaRange(other.range))
      }
      if !isLeft {
        add(
          .responseMediaTypeRemoved, "no longer has the media type `\(content.range)`", new: new, old: content.node)
      }
    }
    for content in after {
      let range = MediaRange(content.range)
      guard let other = before.entry(for: content.range) else {
        if let narrower = before.first(where: { range.covers(MediaRange($0.range)) }) {
          add(
            .responseMediaTypeGeneralized, "has the media type `\(content.range)`, was `\(narrower.range)`",
            new: content.node, old: narrower.node)
        } else {
          add(.responseMediaTypeAdded, "now has the media type `\(content.range)`", new: content.node, old: old)
        }
        continue
      }
      if other.schema != nil, content.schema == nil {
        changes.add(
          .responseSchemaRemoved, "the schema of the \(body) was removed", new: content.node, old: other.node,
          about: operation, status: status)
      } else {
        diff.compare(other.schema, content.schema, place(of: content, among: after))
        diff.compare(other.itemSchema, content.itemSchema, place(of: content, among: after))
      }
    }
  }
}

/// Compares the encodings of the parts of a form, which clients write.
struct EncodingDiff {
  private let diff: ContractDiff
  private let operation: Operation

  init(_ diff: ContractDiff, _ operation: Operation) {
    self.diff = diff
    self.operation = operation
  }

  func run(_ before: MediaTypeObject, _ after: MediaTypeObject) {
    guard MediaRange(before.range).isForm else { return }
    for name in (before.encodings + after.encodings).map(\.property).unique() {
      let (old, new) = (before.encodings.named(name), after.encodings.named(name))
      let schemas = (property(name, before.schema), property(name, after.schema))
      func add(_ words: String) {
        diff.changes.add(
          .requestEncoding, "the property `\(name)` of the request body \(words)", new: new?.node ?? after.node,
          old: old?.node ?? before.node, about: operation)
      }
      if MediaRange(before.range).isMultipart {
        let after = contentTypes(new, schemas.1, isOld: false)
        if let before = contentTypes(old, schemas.0, isOld: true), let after,
          let lost = before.first(where: { type in !after.accept(type) })
        {
          add("is no longer accepted as `\(lost.name)`")
        }
        headers(old?.headers ?? [], new?.headers ?? [], add)
      } else if form(old, schemas.0, isOld: true) != form(new, schemas.1, isOld: false) {
        add("is written in another way: `style`, `explode` or `allowReserved` differ")
      }
    }
  }

  private func property(_ name: String, _ schema: JSON?) -> JSON? { schema?["properties"]?[name] }

  /// The form on the wire of a property in a URL-encoded form; a plain value is the same in most styles.
  private func form(_ encoding: Encoding?, _ schema: JSON?, isOld: Bool) -> String {
    let isPlain = diff.types(of: schema, isOld: isOld).isDisjoint(with: .composite)
    let style = encoding?.style ?? .form
    return "\(isPlain ? "" : "\(style) \(encoding?.explode ?? true)") \(encoding?.allowReserved ?? false)"
  }

  /// The media types of a part, by default those for the type of the property (OAS 3.1, 4.8.15.1); `nil` if several are possible.
  private func contentTypes(_ encoding: Encoding?, _ schema: JSON?, isOld: Bool) -> [MediaRange]? {
    if let text = encoding?.contentType { return text.split(separator: ",").map { MediaRange(String($0)) } }
    guard let schema else { return nil }
    let types = diff.types(of: schema, isOld: isOld)
    if types == .object { return [MediaRange("application/json")] }
    guard types.isDisjoint(with: .composite), schema["format"] == nil, schema["contentEncoding"] == nil else {
      return nil
    }
    return [MediaRange("text/plain")]
  }

  private func headers(_ before: [Header], _ after: [Header], _ add: (String) -> Void) {
    func find(_ name: String, _ list: [Header]) -> Header? {
      list.first { $0.name.lowercased().utf8Equals(name.lowercased()) }
    }
    for header in after where header.isRequired && find(header.name, before)?.isRequired != true {
      add("now needs the header `\(header.name)`")
    }
    for header in after {
      guard let old = find(header.name, before) else { continue }
      diff.compare(
        old.schema, header.schema,
        SchemaPlace(
          name: "the header `\(header.name)` of a part", direction: .request, operation: operation, node: header.node,
          text: .whole))
    }
  }
}

extension [Encoding] {
  fileprivate func named(_ name: String) -> Encoding? { first { $0.property.utf8Equals(name) } }
}

extension [MediaRange] {
  /// Whether any range covers another range.
  fileprivate func accept(_ range: MediaRange) -> Bool { contains { $0.covers(range) } }
}
