/// Reads sequences of JSON texts into one array: a text a line (`application/jsonl`, `x-ndjson`), or each behind a record
/// separator (`application/json-seq`, RFC 7464). `schema` judges the array, `itemSchema` each item (OAS 3.2, 4.14.3.1).
enum SequenceBody {
  private static let recordSeparator: UInt8 = 0x1E

  static func decode(_ bytes: [UInt8], _ actual: MediaRange) -> Decoded {
    let isSeparated = bytes.first == recordSeparator
    if actual.subtype == "json-seq" || actual.hasSuffix("+json-seq"), !isSeparated, !bytes.isEmpty {
      let sentence = "the sequence does not start with a record separator (0x1E), which stands before every text"
      return Decoded(.broken, [DecodingProblem(.syntax, "", sentence)])
    }
    var elements: [JSON] = []
    for piece in bytes.parts(at: isSeparated ? recordSeparator : UInt8(ascii: "\n")) {
      guard piece.contains(where: { $0 > 32 }) else { continue }
      do {
        elements.append(try JSONParser.parse(Array(piece)).root.withoutShadowedMembers)
      } catch {
        let sentence = "item \(elements.count + 1) of the sequence is no JSON: \(error.message)"
        return Decoded(.broken, [DecodingProblem(.syntax, "", sentence)])
      }
    }
    return Decoded(.readings([.array(elements)]))
  }
}
