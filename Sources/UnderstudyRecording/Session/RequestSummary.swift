/// The values of a request that may explain its response: path, declared query parameters and headers, and the scalars and
/// lists of its body.
struct RequestSummary: Hashable, Sendable {
  /// A place of a value: `path id`, `body /user/nick`.
  struct ValuePlace: Hashable, Comparable, Sendable {
    var part: RequestPart
    var name: String

    /// The path explains more than the query, the query more than the body, and the body more than a header.
    static func < (a: ValuePlace, b: ValuePlace) -> Bool { (a.rank, a.name) < (b.rank, b.name) }
    private var rank: Int { Self.ranking.firstIndex(of: part) ?? 0 }
    private static let ranking: [RequestPart] = [.path, .query, .body, .header]

    /// `/query/token`, `/body/user/nick`
    var pointer: String {
      "/\(part.rawValue)" + (name.utf8.first == UInt8(ascii: "/") ? name : "/" + JSONPointer.escape(name))
    }
  }

  /// A hash of what no `when` is about: the credentials, as what one user gets is not what another one gets, undeclared
  /// query parameters, and the parts of a body without a name.
  private var identity = 0
  /// As a `when` sees them.
  private(set) var values: [ValuePlace: [String]] = [:]
  /// The places whose values are left out, as they are secret, volatile or long.
  private(set) var hidden: Set<ValuePlace> = []
  /// The places with fakes: a client of the mock sends the real values again.
  private(set) var replaced: Set<ValuePlace> = []

  /// Values beyond these are left out: they come from data, not from choices.
  static let placeLimit = 64
  static let lengthLimit = 200
  static let depthLimit = 4

  /// - Parameter isSecret: Whether a pointer such as `/query/token` leads to a value that must not be shown.
  init(_ view: RequestView, _ operation: Operation, isSecret: (String) -> Bool = { _ in false }) {
    for field in view.request.headerFields where Self.isCredential(field.name) {
      identify(by: [field.name.canonicalName, field.value])
    }
    for capture in view.captures { add(.path, capture.name, view) }
    for parameter in operation.parameters where parameter.location == .query && view.hasQuery {
      add(.query, parameter.name, view, unless: isSecret)
    }
    for parameter in operation.parameters where parameter.location == .header {
      guard let name = HTTPField.Name(parameter.name), !Self.isCredential(name),
        !RecordedHeaders.isVolatile(name.canonicalName)
      else { continue }
      add(.header, parameter.name, view, unless: isSecret)
    }
    addUndeclared(view.query, operation, isSecret)
    switch view.content.syntax {
    case .form?: for name in view.content.form.names { add(.body, name, view, unless: isSecret) }
    case .json?:
      if let root = try? view.content.json.get().root, root.isObject {
        add(root, at: "", view, isSecret)
      } else {
        addNameless(view.body)
      }
    // The boundary is another one in each request.
    case .multipart?: break
    default: addNameless(view.body)
    }
  }

  /// Adds bytes that no condition can be about, without ids and times.
  private mutating func addNameless(_ bytes: [UInt8]) {
    if !bytes.isEmpty { identify(by: VolatileText.maskedValues(bytes)) }
  }

  private mutating func identify(by value: some Hashable) {
    var hasher = Hasher()
    hasher.combine(identity)
    hasher.combine(value)
    identity = hasher.finalize()
  }

  private mutating func addUndeclared(_ query: Query, _ operation: Operation, _ isSecret: (String) -> Bool) {
    let declared = operation.parameters.filter { $0.location == .query }.map(\.name)
    for pair in query.pairs {
      guard let name = query.name(of: pair), !declared.contains(where: { $0.utf8Equals(name) }),
        !isSecret(ValuePlace(part: .query, name: name).pointer)
      else { continue }
      identify(by: name)
      addNameless(Array(query.bytes[pair.value]))
    }
  }

  private static func isCredential(_ name: HTTPField.Name) -> Bool {
    name == .cookie || SecretNames.isCredential(header: name.canonicalName)
  }

  private mutating func add(_ object: JSON, at pointer: String, _ view: RequestView, _ isSecret: (String) -> Bool) {
    guard pointer.utf8.count(where: { $0 == UInt8(ascii: "/") }) < Self.depthLimit else {
      return addNameless(JSONWriter.bytes(object))
    }
    for member in object.members {
      let path = "\(pointer)/\(JSONPointer.escape(member.name))"
      if member.value.isObject {
        add(member.value, at: path, view, isSecret)
      } else if member.value.elements.allSatisfy({ !$0.isObject && !$0.isArray }) {
        // A plain name is easier to read.
        let isPlain = pointer.isEmpty && member.name.utf8.first != UInt8(ascii: "/")
        add(.body, isPlain ? member.name : path, view, unless: isSecret)
      } else if !isSecret("/body" + path) {
        addNameless(JSONWriter.bytes(member.value))
      }
    }
  }

  private mutating func add(
    _ part: RequestPart, _ name: String, _ view: RequestView, unless isSecret: (String) -> Bool = { _ in false }
  ) {
    let place = ValuePlace(part: part, name: name)
    guard values.count + hidden.count < Self.placeLimit else { return }
    let texts = view.values(part, name)
    guard !texts.isEmpty else { return }
    let isLong = texts.contains { $0.utf8.count > Self.lengthLimit }
    // An id in the path is what the request is about, even if it is another one in every run.
    guard !isSecret(place.pointer), !isLong, part == .path || !texts.contains(where: VolatileText.isValue) else {
      if isLong, !isSecret(place.pointer) { for text in texts { addNameless(Array(text.utf8)) } }
      hidden.insert(place)
      return
    }
    values[place] = texts
  }

  /// Compares the values, not the places whose values are hidden or replaced.
  static func == (first: Self, second: Self) -> Bool {
    first.identity == second.identity && first.values == second.values
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(values)
  }

  /// Adds the hidden and replaced places of an equal request.
  mutating func merge(_ other: Self) {
    hidden.formUnion(other.hidden)
    replaced.formUnion(other.replaced)
  }

  /// Notes the places that have a fake.
  mutating func mark(fakes isFake: (String) -> Bool) {
    replaced = Set(values.filter { $0.value.contains(where: isFake) }.keys)
  }
}

extension RequestSummary: RequestValues {
  func values(_ part: RequestPart, _ name: String) -> [String] { values[ValuePlace(part: part, name: name)] ?? [] }
}

extension RequestView {
  /// Whether a body has an id of the path.
  func isRepeated(in body: [UInt8]) -> Bool {
    captures.contains { capture in
      values(.path, capture.name).contains { VolatileText.isValue($0) && body.firstRange(of: $0.utf8) != nil }
    }
  }
}
