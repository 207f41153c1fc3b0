/// The schema of bodies of one media type, as it is learnt from exchanges; a repeated body is still one example.
struct BodyDraft: Sendable {
  private(set) var schema = SchemaDraft()
  private var known: Set<Int> = []

  /// Further bodies teach nothing.
  private static let limit = 10_000

  mutating func add(_ bytes: [UInt8], _ type: MediaRange?) {
    guard known.count < Self.limit, known.insert(Self.hash(bytes)).inserted else { return }
    switch type?.syntax {
    case .json?: if let root = try? JSONParser.parse(bytes).root { schema.add(root) }
    case .form?:
      let form = WirePairs(form: bytes)
      schema.add(.object(form.names.unique().map { ($0, Self.value(form.texts(of: $0))) }))
    default: break
    }
  }

  mutating func merge(_ other: BodyDraft) {
    schema.merge(other.schema)
    known.formUnion(other.known)
  }

  private static func hash(_ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// A field of a form, typed as its text allows.
  private static func value(_ texts: [String]) -> JSON {
    let values = texts.map { text -> JSON in
      guard text.utf8.count < 16, let root = (try? JSONParser.parse(Array(text.utf8)))?.root,
        root.kind == .number || root.bool != nil
      else { return .string(text) }
      return root
    }
    return values.count == 1 ? values[0] : .array(values)
  }
}
