/// Writes exchanges as entries of a HAR 1.2 file, secrets taken out.
///
/// The text of a whole file is `head`, entries with `separator` between them, `tail`; a file is valid whenever `tail` is
/// its end.
package struct HARWriter: Sendable {
  /// The name that files of ours have as their creator.
  package static let creator = "Understudy"
  package static let separator = Array(",\n".utf8)

  /// The end of a file, with the number of exchanges that are missing in it.
  package static func tail(lost: Int = 0) -> [UInt8] {
    let comment =
      lost > 0 ? ",\n\"comment\": \"\(lost) exchanges are missing: they came faster than they could be written\"" : ""
    return Array("\n]\(comment)}}\n".utf8)
  }

  let redaction: Redaction
  private let version: String

  package init(_ redaction: Redaction, version: String) {
    self.redaction = redaction
    self.version = version
  }

  package var head: [UInt8] {
    let creator = JSONWriter.text(.object([("name", .string(Self.creator)), ("version", .string(version))]))
    return Array("{\"log\": {\"version\": \"1.2\", \"creator\": \(creator), \"entries\": [\n".utf8)
  }

  /// The text of one entry, in one line.
  package func entry(_ exchange: RecordedExchange) -> [UInt8] {
    JSONWriter.bytes(HAREntryWriter(exchange: exchange, redaction: redaction).entry)
  }
}

/// An exchange as it is to be written.
package struct RecordedExchange: Sendable {
  /// Microseconds since 1970.
  package var startedAt: Int
  package var duration: Duration
  package var request: HTTPRequest
  /// As it came; `nil` where it was too long to be held.
  package var body: [UInt8]?
  package var reply: Reply
  /// What the client saw; `nil` where it saw none, because of a fault or because it left.
  package var status: Int?
  /// The contract of the operation, where one was reached.
  package var contract: String?
  /// `200`, `4XX`: the documented answer, where it is one.
  package var cell: String?

  package init(
    startedAt: Int, duration: Duration, request: HTTPRequest, body: [UInt8]?, reply: Reply, status: Int?,
    contract: String? = nil, cell: String? = nil
  ) {
    self.startedAt = startedAt
    self.duration = duration
    self.request = request
    self.body = body
    self.reply = reply
    self.status = status
    self.contract = contract
    self.cell = cell
  }
}
