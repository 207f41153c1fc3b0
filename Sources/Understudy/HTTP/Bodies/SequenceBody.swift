import JSONSchema

/// Reads sequences of JSON texts into one array: a text a line (`application/jsonl`, `x-ndjson`), or each behind a record
/// separator (`application/json-seq`, RFC 7464). `schema` validates the array, `itemSchema` each item (OAS 3.2, 4.14.3.1).
enum SequenceBody {
  /// Sequences and streams of more items are not read.
  static let itemLimit = 100_000
  private static let recordSeparator: UInt8 = 0x1E

  static func decode(_ bytes: [UInt8], _ actual: MediaRange) -> Decoded {
    let isSeparated = bytes.first == recordSeparator
    if actual.subtype == "json-seq" || actual.hasSuffix("+json-seq"), !isSeparated, !bytes.isEmpty {
      let sentence = "the sequence does not start with a record separator (0x1E), which stands before every text"
      return Decoded(.broken, [DecodingProblem(.syntax, "", sentence)])
    }
    var count = 0
    var items = JSONBuilder()
    items.begin(.array)
    var rest = bytes[...]
    // Piece by piece: all of them together may be millions.
    while !rest.isEmpty {
      let end = rest.firstIndex(of: isSeparated ? recordSeparator : UInt8(ascii: "\n")) ?? rest.endIndex
      let piece = rest[..<end]
      rest = rest[end...].dropFirst()
      guard piece.contains(where: { $0 > 32 }) else { continue }
      count += 1
      guard count <= itemLimit else { return tooLong("the sequence") }
      do {
        items.append(try JSONParser.parse(Array(piece)).root.withoutShadowedMembers)
      } catch {
        let sentence = "item \(count) of the sequence is no JSON: \(error.message)"
        return Decoded(.broken, [DecodingProblem(.syntax, "", sentence)])
      }
    }
    items.end()
    return Decoded(.readings([items.finish().root]))
  }

  static func tooLong(_ what: String) -> Decoded {
    Decoded(.broken, [DecodingProblem(.limit, "", "\(what) has more than \(itemLimit) items; the rest was not read")])
  }
}
