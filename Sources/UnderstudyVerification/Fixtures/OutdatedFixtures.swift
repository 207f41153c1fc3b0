/// The fixtures, scenarios and events that are valid by the old version of a contract and invalid by the new one.
package struct OutdatedFixtures: Sendable {
  /// A file that is no longer valid.
  package struct Item: Sendable {
    /// `fixture`, `scenario` or `event`.
    package let kind: String
    package let subject: Report.Subject
    package let place: Location
    /// The first error by the new version; `nil` if the new version lacks the operation.
    package let reason: Diagnostic?
  }

  /// The files that are no longer valid, in the order of the old contract.
  package private(set) var items: [Item] = []
  /// The number of files that the old version accepts, by kind.
  private var totals: [String: Int] = [:]

  private static let kinds = ["fixture", "scenario", "event"]
  /// The maximum number of files of a kind that a remark names.
  private static let shown = 5

  private struct Key: Hashable {
    let path: String
    let name: String
  }

  /// Validates the fixtures of a contract by both versions; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - root: The folder with one folder of fixtures for each contract.
  ///   - width: The number of fixtures that are validated at a time.
  package init?(in root: String, old: API, new: API, _ rules: RuleSettings, width: Int) async {
    let names = [new.name, old.name].filter { FileSystem.isFolder(Path.join(root, $0)) }
    guard let name = names.first else { return nil }
    let before = await Self.cases(of: old, named: name, in: root, rules, width)
    let after = Dictionary(
      await Self.cases(of: new, named: name, in: root, rules, width).map { (Self.key($0), $0) },
      uniquingKeysWith: { first, _ in first })
    for item in before {
      let kind = String(item.name.prefix { $0 != " " })
      guard Self.kinds.contains(kind), Self.error(in: item) == nil else { continue }
      totals[kind, default: 0] += 1
      let now = after[Self.key(item)]
      let reason = now.flatMap(Self.error)
      guard now == nil || reason != nil else { continue }
      items.append(
        Item(kind: kind, subject: item.subject, place: item.place ?? Location(path: root), reason: reason))
    }
  }

  private static func cases(
    of api: API, named name: String, in root: String, _ rules: RuleSettings, _ width: Int
  ) async -> [Report.Case] {
    var api = api
    // Both versions have the fixtures of one folder.
    api.name = name
    var options = FixtureVerifier.Options()
    options.rules = rules
    options.width = width
    let contract = CompiledContract(api, from: api.resolver.store)
    var report = Report(Report.Run("diff", contracts: [], startedAt: ""))
    await FixtureVerifier(contract, fixtures: root, options).verifyFiles(into: &report)
    return report.cases
  }

  private static func key(_ item: Report.Case) -> Key { Key(path: item.place?.path ?? "", name: item.name) }

  private static func error(in item: Report.Case) -> Diagnostic? {
    item.findings.first { $0.severity == .error }?.diagnostic
  }

  /// Adds the fixtures of another contract.
  package mutating func add(_ other: OutdatedFixtures) {
    items += other.items
    totals.merge(other.totals) { $0 + $1 }
  }

  /// `1 of 12 fixtures no longer validates: fixtures/slp/readUser/200.json:3:5 (expected string, found number 7)`
  package var remarks: [String] {
    Self.kinds.compactMap { kind in
      guard let total = totals[kind], total > 0 else { return nil }
      let outdated = items.filter { $0.kind == kind }
      guard !outdated.isEmpty else { return "\(total.counted(kind)) still \(total == 1 ? "validates" : "validate")" }
      let names = outdated.prefix(Self.shown).map(Self.text).joined(separator: "; ")
      let rest = outdated.count > Self.shown ? "; and \(outdated.count - Self.shown) more" : ""
      return "\(outdated.count) of \(total.counted(kind)) no longer \(outdated.count == 1 ? "validates" : "validate"): "
        + names + rest
    }
  }

  private static func text(_ item: Item) -> String {
    guard let reason = item.reason else {
      return "\(item.place.path ?? "") (no operation is called `\(item.subject.operation ?? "")`)"
    }
    return "\((reason.location?.path == nil ? item.place : reason.location)?.shown ?? "") (\(reason.placedMessage))"
  }
}
