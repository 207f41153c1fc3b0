import UnderstudyVerification

/// The fixtures whose JSON is valid by the old version of a contract and invalid by the new one.
struct OutdatedFixtures {
  /// `readUser/201`, in the order of the new contract.
  private(set) var labels: [String] = []
  private var total = 0

  /// The maximum number of fixtures that a remark names.
  private static let shown = 5

  /// - Parameter folder: The folder with one folder of fixtures for each contract.
  init(_ folder: String, _ old: API, _ new: API) {
    let libraries = [old, new].map { SchemaLibrary(of: $0, $0.resolver.store) }
    let store = FixtureStore.load(Path.join(folder, new.name), for: new)
    for operation in new.operations {
      guard let before = old.operation(operation.id) else { continue }
      for fixture in store.fixtures[operation.id] ?? [] where fixture.violates.isEmpty {
        guard let value = Self.value(of: fixture), let former = Self.schema(of: fixture, in: before),
          libraries[0].schema(at: former, direction: .response).accepts(value)
        else { continue }
        total += 1
        guard let schema = Self.schema(of: fixture, in: operation) else { continue }
        if !libraries[1].schema(at: schema, direction: .response).accepts(value) { labels.append(fixture.label) }
      }
    }
  }

  private static func value(of fixture: Fixture) -> JSON? {
    guard case .bytes(let bytes, "json") = fixture.body else { return nil }
    return try? JSONParser.parse(SourceFile(path: fixture.source.path, bytes: bytes)).root
  }

  private static func schema(of fixture: Fixture, in operation: Operation) -> JSON? {
    fixture.response(in: operation)?.content.first { $0.range.lowercased().contains("json") }?.schema
  }

  /// `1 of 12 fixtures no longer validates: readUser/201`
  var remark: String {
    let names = labels.prefix(Self.shown).joined(separator: ", ")
    let rest = labels.count > Self.shown ? " and \(labels.count - Self.shown) more" : ""
    return "\(labels.count) of \(total.counted("fixture")) no longer \(labels.count == 1 ? "validates" : "validate")"
      + (labels.isEmpty ? "" : ": \(names)\(rest)")
  }
}
