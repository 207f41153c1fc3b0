/// How the answers of one operation differ from its fixtures, by shape.
struct OperationDrift: Sendable {
  private let operation: CompiledOperation
  private let volatile: VolatileOperation
  private let fixtures: [Int: [AnswerShape]]
  /// Rules that fixtures break on purpose.
  private let meant: [Int: Set<String>]
  /// The shapes that were met, each once.
  private var met: [Int: Set<AnswerShape>] = [:]
  /// The headers that every fixture of a status has, in lower case, with their spelling.
  private var headers: [Int: [String: String]] = [:]
  /// Those of them that an answer had.
  private var metHeaders: [Int: Set<String>] = [:]
  private var findings: [RecordingReport.Drift] = []

  /// Headers that come and go with the data and the request: of caches and pages, and cookies that a client has already.
  private static let passing: Set<String> = [
    "age", "cache-control", "content-range", "expires", "last-modified", "link", "set-cookie", "vary",
  ]

  init(_ operation: CompiledOperation, _ existing: [Fixture], _ volatile: VolatileOperation) {
    self.operation = operation
    self.volatile = volatile
    var shapes: [Int: [AnswerShape]] = [:]
    var meant: [Int: Set<String>] = [:]
    for fixture in existing {
      guard case .code(let status) = fixture.status else { continue }
      shapes[status, default: []].append(
        operation.shape(of: fixture, status: status, volatile: volatile[status], marksFractions: true))
      let names = fixture.headers.map { (FieldSyntax.lowercased($0.name.utf8), $0.name) }
        .filter { !Self.passing.contains($0.0) && !RecordedHeaders.isVolatile($0.0) }
      let own = Dictionary(names, uniquingKeysWith: { first, _ in first })
      headers[status] = headers[status].map { $0.filter { own[$0.key] != nil } } ?? own
      meant[status, default: []].formUnion(fixture.violates)
    }
    fixtures = shapes
    self.meant = meant
  }

  mutating func see(_ response: Exchange.Response, _ found: [Diagnostic]) {
    let status = response.status
    let type = response.mediaType
    let body = operation.operation.method == "HEAD" ? [] : response.body.bytes
    met[status, default: []].insert(
      operation.shape(of: body, status: status, type: type, volatile: volatile[status], marksFractions: true))
    metHeaders[status, default: []].formUnion(response.fields.map { FieldSyntax.lowercased($0.name.rawName.utf8) })
    for finding in found where finding.severity == .error && finding.owner == .provider {
      guard meant[status]?.contains(finding.rule.id) != true else { continue }
      let drift = RecordingReport.Drift(
        cell: "\(operation.id) \(status)",
        message: "\(VisibleText.line(finding.placedMessage)) [\(finding.rule.id)]")
      if !findings.contains(drift) { findings.append(drift) }
    }
  }

  var drifts: [RecordingReport.Drift] {
    met.sorted { $0.key < $1.key }.flatMap { status, shapes in
      (differences(shapes, fixtures[status] ?? []) + missingHeaders(status)).sorted().map {
        RecordingReport.Drift(cell: "\(operation.id) \(status)", message: $0)
      }
    } + findings
  }

  /// The headers that every fixture has and no answer has.
  private func missingHeaders(_ status: Int) -> [String] {
    let met = metHeaders[status] ?? []
    return (headers[status] ?? [:]).filter { !met.contains($0.key) }.map { "the header `\($0.value)` is missing" }
  }

  private func differences(_ live: Set<AnswerShape>, _ fixtures: [AnswerShape]) -> [String] {
    guard !fixtures.isEmpty else { return ["no fixture has this status"] }
    let types = Set(fixtures.map(\.mediaType))
    let others = Set(live.map(\.mediaType)).subtracting(types).map { "the body is \($0.isEmpty ? "empty" : "`\($0)`")" }
    let before = fixtures.compactMap { $0.body?.states }
    let after = live.compactMap { $0.body?.states }
    guard !before.isEmpty, !after.isEmpty else { return others }
    let (known, now) = (Self.union(before), Self.union(after))
    var messages = others
    for (pointer, states) in now where pointer.isEmpty || known[Self.parent(of: pointer)] != nil {
      let place = pointer.isEmpty ? "the body" : pointer
      guard let old = known[pointer] else {
        // The elements of a list that no fixture fills are new to it.
        if !pointer.hasSuffix("/*") { messages.append("\(place) is new") }
        continue
      }
      let types = Set(states.map(\.typeName)).subtracting(old.map(\.typeName))
      if let type = types.min() {
        messages.append(
          "\(place) is \(type), and \(Set(old.map(\.typeName)).sorted().joined(separator: " or ")) in the fixtures")
      } else if states.contains(.fraction), old.contains(.number), !old.contains(.fraction) {
        messages.append("\(place) is a fraction, and an integer in the fixtures")
      }
    }
    // What every fixture has and no answer has was removed.
    for (pointer, _) in known where now[pointer] == nil && now[Self.parent(of: pointer)]?.contains(.object) == true {
      if Self.isEverywhere(pointer, before) { messages.append("\(pointer) is missing") }
    }
    return messages
  }

  /// Whether every object that could have a member has it.
  private static func isEverywhere(_ pointer: String, _ fixtures: [[String: Set<BodyShape.State>]]) -> Bool {
    fixtures.allSatisfy { states in
      states[parent(of: pointer)]?.contains(.object) != true || states[pointer] != nil
    }
  }

  private static func union(_ all: [[String: Set<BodyShape.State>]]) -> [String: Set<BodyShape.State>] {
    all.reduce(into: [:]) { $0.merge($1) { $0.union($1) } }
  }

  private static func parent(of pointer: String) -> String {
    pointer.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(pointer[..<$0]) } ?? ""
  }
}
