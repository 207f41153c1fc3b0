import Foundation

/// What a lane is from its beginning.
package struct LaneSettings: Sendable {
  /// The beginning of a name that is unique.
  var label: String
  var name: String?
  var scenario: String?
  var force: [String: ForcedCell] = [:]
  var checks: [Check] = []
  var limit: Duration?
  var hasOwnPort = false

  package init(
    label: String, name: String? = nil, scenario: String? = nil, force: [String: ForcedCell] = [:],
    checks: [Check] = [], limit: Duration? = nil, hasOwnPort: Bool = false
  ) {
    self.label = label
    self.name = name
    self.scenario = scenario
    self.force = force
    self.checks = checks
    self.limit = limit
    self.hasOwnPort = hasOwnPort
  }

  /// The longest label that leaves room for what makes it unique.
  private static let labelLimit = 40

  /// The body of the request that opens a lane, under a new name.
  func opening() -> [String: JSONValue] {
    let number = UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased().prefix(12)
    var members: [String: JSONValue] = ["name": .string(name ?? "\(label.prefix(Self.labelLimit))-\(number)")]
    members["scenario"] = scenario.map(JSONValue.string)
    if !force.isEmpty { members["force"] = .object(force.mapValues(\.value)) }
    if !checks.isEmpty { members["checks"] = .array(checks.map(\.text)) }
    members["limit"] = limit.map { .string($0.text) }
    if hasOwnPort { members["port"] = 0 }
    return members
  }
}
