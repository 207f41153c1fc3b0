/// Compares the bindings of two versions of a channel, an operation or a message: their schemas, and other members by value.
struct BindingDiff {
  let diff: ContractDiff
  /// The subject of messages: `the channel`, `the message `said``.
  let name: String
  let direction: Direction
  let operation: Operation

  /// Members whose values are schemas, by protocol (the bindings of AsyncAPI, version 0.x).
  private static let schemas: [String: Set<String>] = [
    "ws": ["query", "headers"], "http": ["query", "headers"], "kafka": ["key", "groupId", "clientId"],
    "jms": ["headers"], "mqtt": ["correlationData"],
  ]

  func compare(_ old: JSON?, _ new: JSON?) {
    for member in old?.distinctMembers ?? [] where !member.key.isExtensionKey {
      guard let other = new?[member.name] else {
        report("no longer has the binding `\(member.name)`", new ?? old, member.value, severity: .info)
        continue
      }
      compare(member.value, other, member.name)
    }
    for member in new?.distinctMembers ?? [] where !member.key.isExtensionKey && old?[member.name] == nil {
      report("now has the binding `\(member.name)`", member.value, old ?? member.value, severity: .info)
    }
  }

  private func compare(_ old: JSON, _ new: JSON, _ scheme: String) {
    let names = (old.distinctMembers + new.distinctMembers).map(\.name).unique()
    for key in names where key != "bindingVersion" {
      let (before, after) = (old[key], new[key])
      if Self.schemas[scheme]?.contains(key) == true {
        let place = SchemaPlace(
          name: "`\(key)` of the binding `\(scheme)` of \(name)", direction: direction, operation: operation, node: new)
        diff.compare(before, after, place)
      } else if let before, let after, before != after {
        report(
          "has another binding `\(scheme)`: `\(key)` is \(Self.words(after)), was \(Self.words(before))", after, before)
      } else if before == nil || after == nil {
        let words = after.map { "`\(key)` is now \(Self.words($0))" } ?? "`\(key)` was removed"
        report("has another binding `\(scheme)`: \(words)", after ?? new, before ?? old, severity: .info)
      }
    }
  }

  private static func words(_ value: JSON) -> String { "`\(VisibleText.shortened(JSONWriter.text(value), to: 80))`" }

  private func report(_ words: String, _ new: JSON?, _ old: JSON?, severity: Severity? = nil) {
    diff.changes.add(.channelBinding, "\(name) \(words)", new: new, old: old, about: operation, severity: severity)
  }
}
