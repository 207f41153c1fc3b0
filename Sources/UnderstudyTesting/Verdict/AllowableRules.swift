import UnderstudyMock

/// The rules whose findings a test can accept.
enum AllowableRules {
  /// A reply that no request has met.
  static let unusedReply = "test.reply-unused"
  /// A request that waits for its answer when the test ends.
  static let pendingRequest = "test.request-pending"

  /// A test that waits for something that does not come.
  static let limit = "test.limit"

  private static let ids = Rule.all.map(\.id) + [unusedReply, pendingRequest, limit]

  /// Why no finding can be of a rule: its id is misspelt. `nil` for a rule that exists.
  static func problem(of id: String) -> String? {
    guard !ids.contains(where: { $0.utf8Equals(id) }) else { return nil }
    // A rule about requests is no typing error for one about answers.
    let area = id.split(separator: ".").first.map { "\($0)." } ?? ""
    let near = ids.filter { $0.hasPrefix(area) }
    let help = Suggestion.phrase(for: id, among: near.isEmpty ? ids : near) ?? "`understudy explain` lists all rules"
    return "unknown rule `\(id)`\n  help: \(help)"
  }
}
