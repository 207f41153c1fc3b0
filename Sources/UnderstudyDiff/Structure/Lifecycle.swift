/// The deprecation, sunset date and stability level of an operation or parameter.
struct Lifecycle {
  private let node: JSON
  private let isDeprecated: Bool
  /// The stability level of the operation in lower case.
  private let stability: String?
  /// The subject of messages: `the operation`.
  private let name: String
  /// The node to point to where a keyword is absent.
  private let place: JSON

  init(_ operation: Operation) {
    (node, isDeprecated, place) = (operation.node, operation.isDeprecated, operation.keyNode)
    stability = Self.stability(operation)
    name = "the operation"
  }

  init(_ parameter: Parameter, in operation: Operation) {
    (node, isDeprecated, place) = (parameter.node, parameter.isDeprecated, parameter.node)
    stability = Self.stability(operation)
    name = ParameterDiff.name(parameter)
  }

  /// The sunset date as written.
  private var sunset: JSON? { node["x-sunset"] }

  /// The day of the sunset, `2026-11-29`; `nil` if it is absent or invalid.
  private var sunsetDay: String? { sunset.flatMap(Self.day) }

  private static func day(_ value: JSON) -> String? {
    let text = String(value.text.prefix(10))
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
      Timestamp.microseconds("\(text)T00:00:00Z".utf8) != nil
    else { return nil }
    return text
  }

  // MARK: - Removal

  /// The announcement that preceded a removal.
  enum Removal { case unannounced, unstable, deprecated, beforeSunset }

  func removal(on today: String) -> Removal {
    if Self.isUnstable(stability) { return .unstable }
    guard isDeprecated else { return .unannounced }
    return sunsetDay.map { $0 > today } ?? false ? .beforeSunset : .deprecated
  }

  // MARK: - Stability

  static let levels = ["draft", "alpha", "beta", "stable"]

  private static func stability(_ operation: Operation) -> String? {
    operation.node["x-stability-level"]?.string?.lowercased()
  }

  private static func isUnstable(_ level: String?) -> Bool { level == "draft" || level == "alpha" }

  /// The severity of a change, which is a note for operations that may still change.
  static func lowered(_ severity: Severity, _ operation: Operation?) -> Severity {
    isUnstable(operation.flatMap(stability)) ? .info : severity
  }

  /// Compares the stability levels of an operation.
  static func compareStability(_ old: Operation, _ new: Operation, _ changes: ChangeList) {
    guard let before = stability(old).flatMap(levels.firstIndex), let after = stability(new).flatMap(levels.firstIndex),
      after != before
    else { return }
    changes.add(
      after < before ? .stabilityDecreased : .stabilityIncreased,
      "the stability level is now `\(levels[after])`, was `\(levels[before])`",
      new: new.node["x-stability-level"], old: old.node["x-stability-level"], about: after < before ? old : new)
  }

  // MARK: - Deprecation

  /// Compares deprecation and sunset dates with the former version.
  func compare(with old: Lifecycle, _ options: ContractDiff.Options, _ changes: ChangeList, about operation: Operation)
  {
    func add(_ rule: Rule, _ message: String, new: JSON? = nil, old before: JSON? = nil, help: String? = nil) {
      changes.add(rule, "\(name) \(message)", new: new ?? place, old: before, about: operation, help: help)
    }
    guard isDeprecated || sunset != nil else { return }
    if let node = sunset, sunsetDay == nil {
      guard node != old.sunset else { return }
      add(
        .sunsetInvalid,
        "has the sunset date `\(VisibleText.shortened(node.text, to: 40))`: expected a date, as in `2027-01-31`",
        new: node)
      return
    }
    guard isDeprecated else { return }
    guard let day = sunsetDay else {
      if let before = old.sunset, old.sunsetDay != nil {
        add(.sunsetRemoved, "no longer has a sunset date", old: before)
      } else if !old.isDeprecated, let days = notice(options) {
        add(.sunsetMissing, "is now deprecated without a sunset date: expected one in \(days.counted("day")) or later")
      }
      return
    }
    if old.isDeprecated, let before = old.sunsetDay, day <= before {
      if day < before { add(.sunsetEarlier, "has the sunset date \(day), was \(before)", new: sunset, old: old.sunset) }
      return
    }
    guard let first = Self.day(options.today, plus: notice(options) ?? 0), day < first else { return }
    add(
      .sunsetTooSoon, "has the sunset date \(day): expected \(first) or later", new: sunset,
      help: "`--notice` sets the days between the announcement and the removal")
  }

  /// The days of notice for the stability level, or `nil` if no notice is required.
  private func notice(_ options: ContractDiff.Options) -> Int? {
    guard !Self.isUnstable(stability), let days = options.notice[stability ?? "stable"], days > 0 else { return nil }
    return days
  }

  private static func day(_ day: String, plus days: Int) -> String? {
    Timestamp.microseconds("\(day)T00:00:00Z".utf8).map { start in
      String(Timestamp.text(microseconds: start + days * 86_400_000_000).prefix(10))
    }
  }
}
