/// The differences between two versions of a contract, judged by what breaks whom.
///
/// Parts are compared by their effect: parameters after the path item, security after inheritance, the response that a
/// status selects, references and `allOf` resolved.
package final class ContractDiff {
  let old: API
  let new: API
  let options: Options
  let changes: ChangeList
  /// Comparisons of schemas by direction, those that show breaks first.
  private let request: SchemaComparison
  private let response: SchemaComparison
  private let widening: SchemaComparison
  private let narrowing: SchemaComparison

  package struct Options: Sendable {
    /// Prefixes of paths that are left out on the old and the new side.
    package var oldPrefix = ""
    package var newPrefix = ""
    /// The day of the comparison as `2026-11-29`, for sunset dates.
    package var today = ""
    /// The days between the announcement of a sunset date and that date, by stability level.
    package var notice: [String: Int] = [:]
    /// Whether changes that break nothing are reported as notes.
    package var reportsSafeChanges = true

    package init() {}
  }

  package init(_ old: API, _ new: API, _ options: Options = Options()) {
    self.old = old
    self.new = new
    self.options = options
    let (first, second) = (SchemaLibrary(of: old, old.resolver.store), SchemaLibrary(of: new, new.resolver.store))
    let (oldRequest, newRequest) = (SchemaSide(first, .request), SchemaSide(second, .request))
    let (oldResponse, newResponse) = (SchemaSide(first, .response), SchemaSide(second, .response))
    let equality = SchemaEqualities(oldRequest, newRequest)
    (request, widening) = SchemaComparison.pair(oldRequest, newRequest, sharing: equality)
    (response, narrowing) = SchemaComparison.pair(newResponse, oldResponse, sharing: equality, isReversed: true)
    changes = ChangeList(new)
  }

  /// The number of pairs of schemas that were compared because they are not equal.
  package var comparedSchemas: Int { request.places + response.places }

  /// The operation identifiers that links of the old contract name.
  private(set) lazy var linkedOperations = Set(
    old.operations.lazy.flatMap(\.responses).flatMap(\.links).compactMap(\.operationId))

  /// The shapes of the new contract's paths.
  private lazy var newShapes = Set(new.operations.map { OperationPairs.shape($0.path) })

  /// All differences, in the order of the new contract. A shared part has one difference.
  package func run(progress: (Int) -> Void = { _ in }) -> [ContractChange] {
    var result: [ContractChange] = []
    DeepRecursion.run { result = compareAll(progress) }
    return result
  }

  private func compareAll(_ progress: (Int) -> Void) -> [ContractChange] {
    let pairs = OperationPairs(old.operations, new.operations, options)
    if let unrelated = UnrelatedContracts(pairs, old.operations, new.operations) {
      changes.add(
        .contractUnrelated, unrelated.message, new: new.root.key("paths") ?? new.root, old: old.root.key("paths"),
        about: nil, help: unrelated.help)
      return changes.sorted
    }
    compareVersions()
    if options.oldPrefix == options.newPrefix {
      compareServers(old.servers, new.servers, at: (old.root, new.root), about: nil)
    }
    SecuritySchemeDiff(self).run()
    for (position, operation) in pairs.common.enumerated() {
      OperationDiff(self, operation.old, operation.new).run()
      progress(position + 1)
    }
    compareLists(pairs)
    compareWebhooks()
    ChannelDiff(self).run()
    return changes.sorted
  }

  // MARK: - Schemas

  /// Compares the schemas of one place.
  func compare(_ old: JSON?, _ new: JSON?, _ place: SchemaPlace) {
    let (first, second) = (old.map { [$0] } ?? [], new.map { [$0] } ?? [])
    let isRequest = place.direction == .request
    let found = isRequest ? request.differences(first, second) : response.differences(second, first)
    for difference in found where !place.isIgnored(difference, isRequest ? request.sup : response.sup) {
      changes.add(difference, place, safely: false)
    }
    guard options.reportsSafeChanges else { return }
    let safe = isRequest ? widening.differences(second, first) : narrowing.differences(first, second)
    for difference in safe
    where difference.witness != nil && difference.isNotedWhenSafe
      && !place.isIgnored(difference, isRequest ? request.sub : response.sub)
      && !found.contains(where: { $0.isOpposite(of: difference) })
    {
      changes.add(difference, place, safely: true)
    }
  }

  /// The types that a schema of the new contract allows.
  func types(of schema: JSON?, isOld: Bool) -> JSONTypeSet {
    guard let schema else { return .any }
    let side = isOld ? request.sub : request.sup
    return side.library.resolved(schema).types
  }

  /// Whether a schema of the new contract describes arrays that may have one element.
  func isArrayOfOne(_ schema: JSON) -> Bool {
    let view = request.sup.library.resolved(schema)
    return view.types.subtracting(.null) == .array
      && view.parts.allSatisfy { part in
        (part[.minItems]?.int ?? 0) <= 1 && (part[.maxItems]?.int ?? 1) >= 1 && part[.enum] == nil
          && part[.prefixItems] == nil
      }
  }

  /// The schema of the elements of an array in the new contract.
  func elements(of schema: JSON) -> JSON? {
    request.sup.library.resolved(schema).parts.lazy.compactMap { $0[.items] }.first
  }

  /// The default of a schema or of a part of it.
  func defaultValue(of schema: JSON?, isOld: Bool) -> JSON? {
    guard let schema else { return nil }
    let side = isOld ? request.sub : request.sup
    return side.library.resolved(schema).parts.lazy.compactMap { $0.schema["default"] }.first
  }

  // MARK: - The contract

  private func compareVersions() {
    func numbers(_ version: String) -> [Int]? {
      let parts = version.split(separator: ".").map { Int($0) }
      return parts.isEmpty || parts.contains(nil) ? nil : parts.compactMap(\.self)
    }
    guard let before = numbers(old.version), let after = numbers(new.version), after.lexicographicallyPrecedes(before)
    else { return }
    changes.add(
      .versionDecreased, "`info.version` is now \(new.version), was \(old.version)", new: new.root["info"]?["version"],
      old: old.root["info"]?["version"], about: nil)
  }

  /// The maximum number of removed operations for which similar paths are searched.
  private static let maximumSuggestions = 100

  private func compareLists(_ pairs: OperationPairs) {
    for (position, operation) in pairs.removed.enumerated() {
      removed(operation, suggests: position < Self.maximumSuggestions)
    }
    for operation in pairs.added {
      changes.add(
        .operationAdded, "`\(operation.method) \(operation.path)` was added", new: operation.keyNode, about: operation)
    }
  }

  private func removed(_ operation: Operation, suggests: Bool) {
    let rule: Rule =
      switch Lifecycle(operation).removal(on: options.today) {
      case .unannounced: .operationRemoved
      case .unstable: .operationRemovedUnstable
      case .deprecated: .operationRemovedDeprecated
      case .beforeSunset: .operationRemovedBeforeSunset
      }
    let isPathGone = !newShapes.contains(OperationPairs.shape(operation.path))
    let near =
      suggests && isPathGone ? Suggestion.nearest(to: operation.path, among: new.operations.map(\.path).unique()) : nil
    changes.add(
      rule,
      "`\(operation.method) \(operation.path)` was removed"
        + (rule == .operationRemovedBeforeSunset ? " before its sunset date" : ""),
      old: operation.keyNode, about: operation, help: near.map { "the new contract has the similar path `\($0)`" })
  }

  /// Compares the paths of servers.
  func compareServers(
    _ old: [Server], _ new: [Server], at places: (old: JSON, new: JSON), about operation: Operation?
  ) {
    func bases(_ servers: [Server]) -> [String] { servers.map { ServerBase.path(of: $0) }.unique() }
    let (before, after) = (bases(old), bases(new))
    guard !before.isEmpty, !after.isEmpty, before.allSatisfy({ !after.contains($0) }) else { return }
    func words(_ bases: [String]) -> String { bases.map { "`\($0.isEmpty ? "/" : $0)`" }.joined(separator: ", ") }
    changes.add(
      .serverRemoved, "no base path of before is left: was \(words(before)), is \(words(after))",
      new: new.first?.node ?? places.new, old: old.first?.node ?? places.old, about: operation)
  }

  private func compareWebhooks() {
    func same(_ hook: Operation, _ list: [Operation]) -> Operation? {
      list.first { $0.path.utf8Equals(hook.path) && $0.method == hook.method }
    }
    for hook in old.webhooks {
      if let now = same(hook, new.webhooks) {
        CallDiff(self, about: now).compare(hook, now, "webhook `\(hook.path)`")
      } else {
        changes.add(.webhookRemoved, "the webhook `\(hook.path)` was removed", old: hook.keyNode, about: hook)
      }
    }
    for hook in new.webhooks where same(hook, old.webhooks) == nil {
      changes.add(.webhookAdded, "the webhook `\(hook.path)` was added", new: hook.keyNode, about: hook)
    }
  }
}

extension SchemaDifference {
  /// Whether both directions of one change differ, as of a type that is replaced.
  fileprivate func isOpposite(of other: SchemaDifference) -> Bool {
    kind == other.kind && path == other.path && (kind != .enumeration || subject.isEmpty)
  }
}
