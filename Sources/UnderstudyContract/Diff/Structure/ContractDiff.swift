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
    (request, widening) = SchemaComparison.pair(oldRequest, newRequest)
    (response, narrowing) = SchemaComparison.pair(newResponse, oldResponse)
    changes = ChangeList(new)
  }

  /// The number of pairs of schemas that were compared because they are not equal.
  package var comparedSchemas: Int { request.places + response.places }

  /// All differences, in the order of the new contract. A shared part has one difference.
  package func run(progress: (Int) -> Void = { _ in }) -> [ContractChange] {
    let pairs = OperationPairs(old.operations, new.operations, options)
    compareServers()
    for (position, operation) in pairs.common.enumerated() {
      OperationDiff(self, operation.old, operation.new).run()
      progress(position + 1)
    }
    for operation in pairs.removed { removed(operation) }
    for operation in pairs.added {
      changes.add(
        .operationAdded, "`\(operation.method) \(operation.path)` was added", new: operation.keyNode, about: operation)
    }
    compareWebhooks()
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

  /// The default of a schema or of a part of it.
  func defaultValue(of schema: JSON?, isOld: Bool) -> JSON? {
    guard let schema else { return nil }
    let side = isOld ? request.sub : request.sup
    return side.library.resolved(schema).parts.lazy.compactMap { $0.schema["default"] }.first
  }

  // MARK: - The contract

  private func removed(_ operation: Operation) {
    let name = "`\(operation.method) \(operation.path)`"
    let isPathGone = !new.operations.contains { OperationPairs.shape($0.path) == OperationPairs.shape(operation.path) }
    let rule = Lifecycle(operation, options.today).removalRule
    let near = isPathGone ? Suggestion.nearest(to: operation.path, among: new.operations.map(\.path).unique()) : nil
    changes.add(
      rule, "\(name) was removed" + (rule == .operationRemovedBeforeSunset ? " before its sunset date" : ""),
      old: operation.keyNode, about: operation, help: near.map { "the new contract has the similar path `\($0)`" })
  }

  private func compareServers() {
    func bases(_ api: API) -> [String] { api.servers.map { ServerBase.path(of: $0.url) }.unique() }
    let (before, after) = (bases(old), bases(new))
    guard !before.isEmpty, before.allSatisfy({ !after.contains($0) }), options.oldPrefix == options.newPrefix else {
      return
    }
    let words = (before.joined(separator: ", "), after.joined(separator: ", "))
    changes.add(
      .serverRemoved, "no base path of before is left: was `\(words.0)`, is `\(words.1)`",
      new: new.servers.first?.node ?? new.root, old: old.servers.first?.node, about: nil)
  }

  private func compareWebhooks() {
    for hook in old.webhooks {
      if let now = new.webhooks.first(where: { $0.path.utf8Equals(hook.path) && $0.method == hook.method }) {
        compareCalls(hook, now, "webhook `\(hook.path)`", about: now)
      } else {
        changes.add(
          .webhookRemoved, "the webhook `\(hook.path)` was removed", old: hook.keyNode, about: hook)
      }
    }
  }

  /// Compares requests from the provider to the client: their bodies are judged like responses.
  func compareCalls(_ old: Operation, _ new: Operation, _ name: String, about operation: Operation) {
    for content in old.requestBody?.content ?? [] {
      guard let other = new.requestBody?.content.first(where: { MediaRange($0.range) == MediaRange(content.range) })
      else { continue }
      compare(
        content.schema, other.schema,
        SchemaPlace(name: "body of the \(name)", direction: .response, operation: operation, node: new.node))
    }
  }
}

/// A place with a schema in both versions.
struct SchemaPlace {
  /// The words of messages: `request body`.
  var name: String
  var direction: Direction
  var operation: Operation
  var status: String?
  /// The node of the new contract to point to if the difference has none.
  var node: JSON
  /// Whether values are strings on the wire, so that a string accepts each number.
  var isText = false

  /// Whether a difference of types has no effect on the wire.
  func isIgnored(_ difference: SchemaDifference, _ side: SchemaSide) -> Bool {
    guard isText, difference.kind == .type, difference.path.isEmpty || difference.path == ["*"],
      let witness = difference.witness
    else { return false }
    var value = witness
    if !difference.path.isEmpty { value = witness.elements.first { _ in true } ?? witness }
    guard [.number, .true, .false].contains(value.kind), let schema = difference.acceptingSchema(side) else {
      return false
    }
    return side.variants(of: [schema])?.list.contains { variant in
      variant.types.contains(.string) && variant.listed == nil
        && [Keyword.pattern, .minLength, .maxLength].allSatisfy { variant.keyword($0) == nil }
        && variant.formats.allSatisfy { !side.assertsFormat($0.part, $0.name) }
    } == true
  }
}

extension SchemaDifference {
  /// Whether both directions of one change differ, as of a type that is replaced.
  fileprivate func isOpposite(of other: SchemaDifference) -> Bool {
    kind == other.kind && path == other.path && (kind != .enumeration || subject.isEmpty)
  }

  /// The schema around the `type` that refuses values.
  fileprivate func acceptingSchema(_ side: SchemaSide) -> JSON? {
    guard let sup else { return nil }
    guard !sup.isObject else { return sup }
    return sup.document.root[JSONPointer(Array(sup.pointer.tokens.dropLast()))]
  }
}
