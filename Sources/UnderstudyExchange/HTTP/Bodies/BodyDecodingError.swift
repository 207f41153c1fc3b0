package enum BodyDecodingError {
  static func notAForm(_ bytes: [UInt8]) -> DecodingProblem? {
    guard let first = bytes.first(where: { !isWhiteSpace($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["), (try? JSONParser.parse(bytes)) != nil
    else { return nil }
    return DecodingProblem(
      .syntax, "",
      "the body is JSON, but Content-Type says application/x-www-form-urlencoded; send `name=value&name=value`, or "
        + "Content-Type: application/json where the contract allows it")
  }

  package static func notJSON(_ bytes: [UInt8]) -> DecodingProblem? {
    let query = Query(Array(bytes.prefix(10_000)))
    let isForm =
      !query.pairs.isEmpty
      && query.pairs.allSatisfy { pair in
        pair.hasEquals && !pair.name.isEmpty
          && query.bytes[pair.name].allSatisfy { PercentEncoding.isUnreserved($0) || "%+[]".utf8.contains($0) }
      }
    guard isForm else { return nil }
    return DecodingProblem(
      .syntax, "",
      "the body is a form (`name=value`), but Content-Type says JSON; send JSON, or "
        + "Content-Type: application/x-www-form-urlencoded where the contract allows it")
  }

  /// An undeclared field without `=` after a declared field: the text after an unencoded `&`.
  static func unencodedAmpersand(
    _ pairs: WirePairs, isDeclared: (String) -> Bool, _ problems: inout [DecodingProblem]
  ) {
    guard pairs.hasBareName else { return }
    for (previous, item) in zip(pairs, pairs.dropFirst()) where previous.hasEquals && !item.hasEquals {
      guard !isDeclared(item.name), isDeclared(previous.name) else { continue }
      problems.append(
        DecodingProblem(
          .style, previous.name,
          "`\(previous.name)` is followed by `&\(item.name)` without `=`: if the & belongs to the value, send it as %26",
          isRecovered: true))
    }
  }

  /// Values that were not encoded; in such forms `&`, `+` and `=` get lost.
  static func unencodedText(_ pairs: WirePairs, _ problems: inout [DecodingProblem]) {
    var reported = 0
    for item in pairs where reported < 3 && isUnencoded(item.raw) {
      reported += 1
      let name = item.name
      problems.append(
        DecodingProblem(
          .percentEncoding, name,
          "the value of `\(name)` was not percent-encoded: in it `&` would start another field and `+` be a space",
          isRecovered: true))
    }
  }

  /// A space or a byte beyond ASCII; or `=` and `+` together, as in base64.
  private static func isUnencoded(_ raw: ArraySlice<UInt8>) -> Bool {
    raw.withUnsafeBufferPointer { raw in
      var (isForeign, hasEquals, hasPlus) = (false, false, false)
      // One pass, and no early end: most values are short and are encoded.
      for byte in raw {
        isForeign = isForeign || byte <= 32 || byte >= 127
        hasEquals = hasEquals || byte == UInt8(ascii: "=")
        hasPlus = hasPlus || byte == UInt8(ascii: "+")
      }
      return isForeign || hasEquals && hasPlus
    }
  }

  /// Fields of the body that were sent in the query.
  package static func inQuery(_ names: some Sequence<String>, _ input: ParameterInput) -> DecodingProblem? {
    let found = names.filter { name in input.query.names.contains { $0.utf8.elementsEqual(name.utf8) } }
    guard let first = found.first else { return nil }
    let list = found.map { "`\($0)`" }.joined(separator: ", ")
    return DecodingProblem(
      .style, first, "\(list) \(found.count == 1 ? "was" : "were") sent in the query; expected in the body")
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
