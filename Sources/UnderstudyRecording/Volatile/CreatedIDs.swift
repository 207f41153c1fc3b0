/// The ids that the server gave to what a client created in a session: others in every session.
struct CreatedIDs: Sendable {
  private var ids: Set<String> = []

  /// Further ids are not known.
  private static let limit = 10_000
  /// Longer bodies are not read.
  private static let bodyLimit = 65_536

  func contains(_ text: String) -> Bool { ids.contains(text) }

  /// Learns from the answer to a request that changed something: the end of its `Location`, and the ids of its body.
  mutating func learn(_ answer: Exchange.Response) {
    guard ids.count < Self.limit else { return }
    if let location = answer.fields.first(named: "location") {
      let end = URIReference(location).path.split(separator: "/").last.map(String.init) ?? ""
      if !end.isEmpty { ids.insert(PercentEncoding.decode(end) ?? end) }
    }
    guard answer.mediaType?.syntax == .json, answer.body.bytes.count <= Self.bodyLimit,
      let root = try? JSONParser.parse(answer.body.bytes).root, root.isObject
    else { return }
    for member in root.members where member.value.isString || member.value.kind == .number {
      if SecretNames.words(of: member.name).last == "id" { ids.insert(member.value.text) }
    }
  }
}
