/// The values that a server gave in the first pass over a session, with those that it gave in the second: ids, tokens.
package struct RepeatedValues: Sendable {
  /// Long values are replaced anywhere in a request, short ones only as a whole segment of a path.
  private var values: [String: String] = [:]

  /// A shorter value may be in a request by chance.
  static let longLength = 8
  static let limit = 1000

  package init() {}

  package mutating func learn(_ first: Exchange.Response, _ second: Exchange.Response) {
    if let one = try? JSONParser.parse(first.body.bytes).root, let other = try? JSONParser.parse(second.body.bytes).root
    {
      learn(one, other, named: "")
    }
    let names = ["location", "etag"]
    for name in names {
      if let one = first.fields.first(named: name), let other = second.fields.first(named: name) { learn(one, other) }
    }
    for (one, other) in zip(first.fields.lines(named: "set-cookie"), second.fields.lines(named: "set-cookie")) {
      let (old, new) = (Self.cookie(one), Self.cookie(other))
      if old.name == new.name { learn(old.value, new.value) }
    }
  }

  private mutating func learn(_ a: JSON, _ b: JSON, named name: String) {
    switch (a.kind, b.kind) {
    case (.object, .object):
      for member in a.members { if let other = b[member.name] { learn(member.value, other, named: member.name) } }
    case (.array, .array) where a.count == b.count:
      for (one, other) in zip(a.elements, b.elements) { learn(one, other, named: name) }
    case (.string, .string), (.number, .number):
      let isID = FieldSyntax.lowercased(name.utf8).hasSuffix("id")
      if isID || a.kind == .string && Self.isGenerated(a.text) { learn(a.text, b.text) }
    default: break
    }
  }

  /// Whether a text looks generated, so that a request does not have it by chance.
  private static func isGenerated(_ text: String) -> Bool {
    text.utf8.count >= longLength && text.utf8.contains { 48...57 ~= $0 } && !text.utf8.contains(UInt8(ascii: " "))
  }

  private mutating func learn(_ old: String, _ new: String) {
    guard !old.isEmpty, !old.utf8Equals(new), values.count < Self.limit else { return }
    values[old] = new
  }

  private static func cookie(_ line: String) -> (name: Substring, value: String) {
    let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (pair.first ?? "", pair.count > 1 ? String(pair[1]) : "")
  }

  /// A request of the first pass with the values of the second.
  package func applied(to entry: Exchange) -> Exchange {
    guard !values.isEmpty else { return entry }
    var entry = entry
    var reference = URIReference(entry.url)
    reference.path = reference.path.split(separator: "/", omittingEmptySubsequences: false)
      .map { values[String($0)] ?? String($0) }.joined(separator: "/")
    entry.url = replaced(reference.description)
    entry.requestFields = HTTPFields(
      entry.requestFields.map { HTTPField(name: $0.name, value: replaced($0.value)) })
    if case .bytes(let bytes) = entry.requestBody, let text = String(validating: bytes, as: UTF8.self) {
      entry.requestBody = .bytes(Array(replaced(text).utf8))
    }
    return entry
  }

  /// Longer values first, since they may have shorter ones in them.
  private func replaced(_ text: String) -> String {
    var text = text
    for (old, new) in values.sorted(by: { ($1.key.utf8.count, $0.key) < ($0.key.utf8.count, $1.key) })
    where old.utf8.count >= Self.longLength && text.utf8.count >= old.utf8.count {
      text = text.replacing(old, with: new)
    }
    return text
  }
}
