/// The name of a lane: 1 to 64 letters, digits, `-`, `_` and `.`, which a URL holds as they are.
package struct LaneName: Codable, Sendable, Hashable, CustomStringConvertible {
  package static let limit = 64
  /// The name of the lane that requests without a name reach.
  package static let unnamed = LaneName(checked: "default")

  package let text: String

  private init(checked text: String) { self.text = text }

  /// Reads a name; the problem says what a name may have.
  package init(_ text: some StringProtocol) throws(LaneProblem) {
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
    self.text = String(decoding: bytes, as: UTF8.self)
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

/// Why a lane cannot be used.
package struct LaneProblem: Error, Sendable, Equatable {
  package enum Kind: String, Sendable {
    case invalidName = "invalid-lane"
    case unknown = "unknown-lane"
    case taken = "lane-taken"
    case tooMany = "too-many-lanes"
    case invalid = "invalid-request"
    case forbidden = "forbidden"
    case method = "unknown-method"
  }

  package let kind: Kind
  package let message: String
  package let help: String
  /// The methods that a 405 lists.
  package let allowed: String?

  package init(_ kind: Kind, _ message: String, help: String, allowed: String? = nil) {
    self.kind = kind
    self.allowed = allowed
    self.message = message
    self.help = help
  }

  package var status: Int {
    switch kind {
    case .invalidName, .invalid: 400
    case .forbidden: 403
    case .unknown: 404
    case .method: 405
    case .taken: 409
    case .tooMany: 503
    }
  }

  private var title: String {
    switch kind {
    case .invalidName: "Invalid name of a lane"
    case .unknown: "Not found"
    case .taken: "Lane is open"
    case .tooMany: "Too many lanes"
    case .invalid: "Invalid request"
    case .forbidden: "Forbidden"
    case .method: "Method not allowed"
    }
  }

  /// A problem document (RFC 9457).
  package var reply: Reply {
    var reply = Problem.reply(
      status: status, title: title, code: kind.rawValue, detail: "\(message) (\(help))", diagnostics: [],
      headers: allowed.map { [(.allow, $0)] } ?? [])
    reply.reason = "problem \(status) \(kind.rawValue): \(message)"
    reply.isAboutMock = true
    return reply
  }
}
