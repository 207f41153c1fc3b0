package import UnderstudyJSON
package import UnderstudySchema
import UnderstudyText

/// JSON values in lines (`application/x-ndjson`, `application/jsonl`), and JSON text sequences (RFC 7464).
package enum JSONLines {
  package static func line(_ value: JSONValue) -> [UInt8] { value.bytes + [0x0A] }

  /// A text of a JSON sequence: a record separator before it, a line feed after it.
  package static func record(_ value: JSONValue) -> [UInt8] { [0x1E] + line(value) }
}

/// Reads lines of JSON from bytes in any pieces. Empty lines are ignored, as those of a heartbeat.
package struct JSONLinesParser: Sendable {
  package enum Item: Sendable, Equatable {
    case value(JSON)
    /// A line that is not JSON, with its number and the reason.
    case malformed(line: Int, String)
  }

  /// The longest line, in bytes.
  package static let limit = 1 << 20

  private var line: [UInt8] = []
  private var number = 1
  private var isCut = false

  package init() {}

  package mutating func receive(_ bytes: some Sequence<UInt8>) -> [Item] {
    var items: [Item] = []
    for byte in bytes {
      // RFC 7464: a separator begins the next text.
      if byte == 0x0A || byte == 0x1E {
        if let item = endLine() { items.append(item) }
        if byte == 0x0A { number += 1 }
      } else if line.count < Self.limit {
        line.append(byte)
      } else {
        isCut = true
      }
    }
    return items
  }

  /// The item without a line end at the end of the stream.
  package mutating func finish() -> Item? { endLine() }

  private mutating func endLine() -> Item? {
    defer { (line, isCut) = ([], false) }
    guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return nil }
    guard !isCut else { return .malformed(line: number, "a line is longer than \(Self.limit) bytes") }
    do throws(TextProblem) {
      return .value(try JSONParser.parse(line).root)
    } catch {
      return .malformed(line: number, error.message)
    }
  }
}
