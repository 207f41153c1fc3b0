/// The name of a lane: 1 to 64 letters, digits, `-`, `_` and `.`, which a URL holds as they are.
package struct LaneName: Codable, Sendable, Hashable, CustomStringConvertible {
  package static let limit = 64
  /// The name of the lane that requests without a name reach.
  package static let unnamed = LaneName(checked: "default")

  package let text: String

  private init(checked text: String) { self.text = text }

  /// Reads a name; the problem says what a name may have.
  package init(_ text: String) throws(LaneProblem) {
    let bytes = Array(text.utf8.prefix(Self.limit + 1))
    guard !bytes.isEmpty else { throw LaneProblem(.invalidName, "the name of the lane is empty", help: Self.expected) }
    guard bytes.count <= Self.limit else {
      let start = String(decoding: bytes.prefix(16), as: UTF8.self)
      throw LaneProblem(
        .invalidName, "the name of the lane has \(text.utf8.count) bytes: `\(start)...`", help: Self.expected)
    }
    guard bytes.allSatisfy(Self.isAllowed), bytes.contains(where: { $0 != UInt8(ascii: ".") }) else {
      throw LaneProblem(.invalidName, "`\(text)` is not the name of a lane", help: Self.expected)
    }
    self.text = text
  }

  private static let expected = "expected 1 to \(limit) letters, digits, `-`, `_` and `.`, and not only `.`"

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  package var description: String { text }
}
