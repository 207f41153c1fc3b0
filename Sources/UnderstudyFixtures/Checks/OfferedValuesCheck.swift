/// What a client sends must have been offered to it.
package enum OfferedValuesCheck: ClientCheck {
  package static let rule = Rule.ofClient(
    "check.offered-values", .error, "A client sent a value that no answer had offered",
    help: """
      A client may accept only users who asked, and buy only what is on sale. `operations` names what is sent and `fields` \
      the field of its body; `offer` names the operation and the place in its answers, with `*` for every element, as in \
      `offered-values: {operations: [acceptStudy], fields: [otheruid], offer: searchQueue/fromQueueDBRequested/*/uid}`. \
      It needs all three.
      """, breaking: [:], keeping: [])
  package static let defaults = ClientCheckSettings(rule)
  package static let required = ["operations", "fields", "offer"]

  package static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard let offer = settings.offer, settings.covers(exchange), !settings.operations.isEmpty,
      let name = settings.fields.first, let value = exchange.fields[name]
    else { return nil }
    let offering = earlier.filter {
      $0.operation?.utf8.elementsEqual(offer.utf8.prefix { $0 != UInt8(ascii: "/") }) == true
        && $0.credential == exchange.credential
    }
    guard !offering.contains(where: { $0.offered.contains(value) }) else { return nil }
    return ClientCheckBreach(
      message: offering.isEmpty
        ? "`\(name)` was sent before `\(offer)` offered anything" : "`\(name)` was not among the values of `\(offer)`",
      help: "send only values of the list that the last answer had", proof: offering.last)
  }

  package static func offered(by operation: String?, _ status: Int, _ body: [UInt8], _ offer: String) -> [UInt64] {
    var parts = offer.split(separator: "/").map(String.init)
    guard let operation, !parts.isEmpty, parts.removeFirst().utf8Equals(operation), 200...299 ~= status,
      let root = try? JSONParser.parse(SourceFile(path: "", bytes: body)).root
    else { return [] }
    var nodes = [root]
    for part in parts {
      nodes = nodes.flatMap { node in part == "*" ? Array(node.elements) : [node[part]].compactMap(\.self) }
    }
    return nodes.prefix(limit).map { StableHash.of($0.requestTexts) }
  }

  private static let limit = 200
}
