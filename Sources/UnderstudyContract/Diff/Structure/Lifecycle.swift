/// Deprecation, sunset date and stability of an operation.
struct Lifecycle {
  private let operation: Operation
  private let today: String

  init(_ operation: Operation, _ today: String) {
    self.operation = operation
    self.today = today
  }

  /// The sunset date as written.
  var sunset: JSON? { operation.node["x-sunset"] }

  /// The day of the sunset, `2026-11-29`; `nil` if it is absent or invalid.
  var sunsetDay: String? { sunset.flatMap(Self.day) }

  static func day(_ value: JSON) -> String? {
    let text = String(value.text.prefix(10))
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
      let month = Int(parts[1]), let day = Int(parts[2]), 1...12 ~= month, 1...31 ~= day
    else { return nil }
    return text
  }

  /// The rule for the removal of the operation.
  var removalRule: Rule {
    switch Self.stability(operation) {
    case "draft", "alpha": return .operationRemovedUnstable
    default: break
    }
    guard operation.isDeprecated else { return .operationRemoved }
    guard let day = sunsetDay else { return .operationRemovedDeprecated }
    return day > today ? .operationRemovedBeforeSunset : .operationRemovedDeprecated
  }

  // MARK: - Stability

  static let levels = ["draft", "alpha", "beta", "stable"]

  static func stability(_ operation: Operation) -> String? {
    operation.node["x-stability-level"]?.string?.lowercased()
  }

  /// The severity of a change, which is a note for operations that may still change.
  static func lowered(_ severity: Severity, _ operation: Operation?) -> Severity {
    guard let level = operation.flatMap(stability), level == "draft" || level == "alpha" else { return severity }
    return .info
  }

  /// Compares two versions of an operation.
  static func compare(_ old: Operation, _ new: Operation, _ changes: ChangeList) {
    if old.isDeprecated != new.isDeprecated {
      let words = new.isDeprecated ? "is now deprecated" : "is no longer deprecated"
      changes.add(
        new.isDeprecated ? .operationDeprecated : .operationReactivated, "the operation \(words)",
        new: new.node.key("deprecated") ?? new.keyNode, old: old.node.key("deprecated") ?? old.keyNode, about: new)
    }
    let (before, after) = (Lifecycle(old, ""), Lifecycle(new, ""))
    if let node = after.sunset, after.sunsetDay == nil {
      changes.add(
        .sunsetInvalid,
        "`\(VisibleText.shortened(node.text, to: 40))` is not a sunset date: expected a date, as in `2027-01-31`",
        new: node, about: new)
    } else if let day = before.sunsetDay, new.isDeprecated {
      if let now = after.sunsetDay {
        if now < day {
          changes.add(
            .sunsetEarlier, "the sunset date is now \(now), was \(day)", new: after.sunset, old: before.sunset,
            about: new)
        }
      } else {
        changes.add(.sunsetRemoved, "the sunset date was removed", new: new.keyNode, old: before.sunset, about: new)
      }
    }
    if let before = stability(old).flatMap(levels.firstIndex), let after = stability(new).flatMap(levels.firstIndex),
      after < before
    {
      changes.add(
        .stabilityDecreased, "the stability level is now `\(levels[after])`, was `\(levels[before])`",
        new: new.node["x-stability-level"], old: old.node["x-stability-level"], about: old)
    }
  }
}
