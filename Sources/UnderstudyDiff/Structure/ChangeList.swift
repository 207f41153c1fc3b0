/// A difference between two contracts, with all places that it affects.
package struct ContractChange: Sendable {
  package var diagnostic: Diagnostic
  /// The operation of the new contract, or the removed one; `nil` for the contract itself.
  package var operation: Operation?
  package var status: String?
  /// The keyword or the kind of difference that could not be judged.
  package var undecided: String?
  /// Further places that use the same shared part.
  package var others: [Use] = []

  /// A place in an operation.
  package struct Use: Sendable {
    package var operation: Operation
    package var status: String?
    package var place: String
  }
}

/// Collects differences. A shared part has one difference with several uses.
final class ChangeList {
  private let api: API
  private var list: [ContractChange] = []
  private var positions: [Key: Int] = [:]
  private var uses: Set<Use> = []

  /// An operation and a status that a difference affects.
  private struct Use: Hashable {
    let position: Int
    let operation: NodeID?
    let status: String?

    init(_ position: Int, _ change: ContractChange) {
      self.position = position
      operation = change.operation?.node.id
      status = change.status
    }
  }

  private struct Key: Hashable {
    let rule: String
    let severity: Severity
    let new: NodeID?
    let old: NodeID?
    let subject: String
    let isSafe: Bool
  }

  /// The maximum length of a value in a message.
  private static let maximumValue = 300

  init(_ api: API) { self.api = api }

  /// The differences in the order of the new contract, those about what was removed last.
  var sorted: [ContractChange] {
    let order = Dictionary(
      api.files.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first })
    func place(_ change: ContractChange) -> [Int] {
      let file = change.diagnostic.location?.source.flatMap { order[ObjectIdentifier($0)] } ?? order.count
      return [file, change.diagnostic.location?.range?.lowerBound ?? 0]
    }
    return list.enumerated().map { (key: place($0.element) + [$0.offset], change: $0.element) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.change)
  }

  /// Adds a difference of the structure.
  func add(
    _ rule: Rule, _ message: String, new: JSON? = nil, old: JSON? = nil, about operation: Operation?,
    status: String? = nil, severity: Severity? = nil, help: String? = nil
  ) {
    let location = (new ?? old).map { Location(start: $0) }
    let notes = new == nil ? [] : old.map { [Diagnostic.Note("before", at: Location(start: $0))] } ?? []
    var diagnostic = Diagnostic(rule, message, at: location, severity: severity, notes: notes, help: help)
    diagnostic.severity = Lifecycle.lowered(diagnostic.severity, operation)
    add(
      ContractChange(diagnostic: diagnostic, operation: operation, status: status), message,
      Key(rule: rule.id, severity: diagnostic.severity, new: new?.id, old: old?.id, subject: message, isSafe: false))
  }

  /// Adds a difference of schemas.
  func add(_ difference: SchemaDifference, _ place: SchemaPlace, safely isSafe: Bool) {
    let isRequest = place.direction == .request
    // A safe difference is one of the opposite comparison.
    let (old, new) = isRequest != isSafe ? (difference.sub, difference.sup) : (difference.sup, difference.sub)
    let wording = DifferenceWording(difference, isRequest: isRequest != isSafe, place.direction)
    let (rule, severity) = Rule.of(difference, isRequest: isRequest, isSafe: isSafe)
    let path = difference.path.isEmpty ? "" : " `\(JSONPointer(difference.path))`"
    var notes = old.map { [Diagnostic.Note("before", at: Location(start: $0))] } ?? []
    if let witness = difference.witness {
      let value = VisibleText.shortened(JSONWriter.text(witness), to: Self.maximumValue)
      let words = isRequest != isSafe ? "was valid, and is not any more" : "is valid now, and was not before"
      notes.append(Diagnostic.Note("for example, `\(value)` \(words)"))
    }
    var message = "\(place.name)\(path): \(wording.text)"
    if difference.isUndecided { message += "; whether a value breaks is undecided" }
    let location = Location(start: new ?? place.node)
    var diagnostic = Diagnostic(rule, message, at: location, severity: severity, notes: notes)
    diagnostic.severity = Lifecycle.lowered(diagnostic.severity, place.operation)
    var change = ContractChange(diagnostic: diagnostic, operation: place.operation, status: place.status)
    if difference.isUndecided {
      change.undecided = difference.kind == .keyword ? difference.subject : difference.kind.rawValue
    }
    add(
      change, place.name + path,
      Key(
        rule: rule.id, severity: diagnostic.severity, new: new?.id, old: old?.id,
        subject: wording.text, isSafe: isSafe))
  }

  private func add(_ change: ContractChange, _ place: String, _ key: Key) {
    guard let position = positions[key], let operation = change.operation else {
      positions[key] = list.count
      uses.insert(Use(list.count, change))
      list.append(change)
      return
    }
    let use = ContractChange.Use(operation: operation, status: change.status, place: place)
    guard uses.insert(Use(position, change)).inserted else { return }
    list[position].others.append(use)
  }
}
