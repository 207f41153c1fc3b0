/// Reads sequences of JSON texts as an array: one text a line (`application/jsonl`, `x-ndjson`), or each after a record
/// separator (`application/json-seq`, RFC 7464). `schema` validates the array, `itemSchema` each item (OAS 3.2, 4.14.3.1).
enum SequenceBody {
  /// Items of the longest sequence or stream that is read.
  static let itemLimit = 100_000
  private static let recordSeparator: UInt8 = 0x1E

  static func decode(_ bytes: [UInt8], _ actual: MediaRange) -> Decoded {
    let isSeparated = bytes.first == recordSeparator
    if actual.subtype == "json-seq" || actual.hasSuffix("+json-seq"), !isSeparated, !bytes.isEmpty {
      return .broken(.syntax, "the sequence does not start with a record separator (0x1E), which precedes every text")
    }
    var count = 0
    var items = JSONBuilder()
    items.begin(.array)
    var rest = bytes[...]
    // Item by item, since a sequence may have millions.
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
        return .broken(.syntax, "item \(count) of the sequence is not valid JSON: \(error.message)")
      }
    }
    items.end()
    return Decoded(.readings([items.finish().root]))
  }

  static func tooLong(_ noun: String) -> Decoded {
    .broken(.limit, "\(noun) has more than \(itemLimit) items; the rest was not read")
  }
}
