import UnderstudySockets

/// A fault, a condition or a network, as `understudy explain fault.*` shows it.
package struct FaultTopic: Sendable {
  /// `fault.reset`, `fault.when.flap`, `fault.network.3g`
  package let id: String
  package let summary: String
  package let help: String
  package let examples: [String]

  init(_ id: String, _ summary: String, _ examples: [String], _ help: String) {
    self.id = "fault." + id
    self.summary = summary
    self.help = help
    self.examples = examples
  }

  package static func named(_ id: String) -> FaultTopic? { all.first { $0.id.utf8Equals(id) } }

  package static let all: [FaultTopic] =
    FaultKind.allCases.map(of) + conditions + sockets
    + NetworkProfile.allCases.map { profile in
      FaultTopic(
        "network.\(profile.rawValue)", "With `--network \(profile.rawValue)`: \(profile.summary)", profile.texts,
        "The faults of the profile apply to every request, also to paths that no contract has. `--fault` and `--delay` "
          + "for an operation take precedence.")
    }

  private static func of(_ kind: FaultKind) -> FaultTopic {
    let text = description(of: kind)
    return FaultTopic(kind.rawValue, text.summary, text.examples, text.help)
  }

  private static func description(of kind: FaultKind) -> (summary: String, examples: [String], help: String) {
    switch kind {
    case .delay:
      (
        "Wait before the first byte of the answer", ["delay:250ms", "delay:100ms..2s", "delay:lognormal:200ms:0.4"],
        """
        A fixed time, a range in which each time is equally likely, or a lognormal distribution with a median and the \
        standard deviation of the logarithm. At most an hour. `--delay OP=250ms` is short for `--fault OP=delay:250ms`.
        """
      )
    case .stall:
      (
        "Send the head at once and the body after a pause", ["stall:2s"],
        "Finds clients whose timeout ends with the head, and those that count a head as success."
      )
    case .bandwidth:
      (
        "Limit an answer to a number of bytes a second", ["bandwidth:64k", "bandwidth:500"],
        "`k` is 1000 bytes, `M` a million. The head counts. Twenty pieces are sent a second."
      )
    case .drip:
      (
        "Send the whole answer in twenty pieces", ["drip", "drip:10s"],
        "Within two seconds or the given time. Finds clients that take the first read for the whole answer."
      )
    case .close:
      (
        "Close the connection before or within the answer", ["close", "close:head", "close:after-head", "close:end"],
        "Without a moment nothing is sent: an empty reply, curl's error 52. " + moments
      )
    case .reset:
      (
        "Reset the connection (TCP RST) before, in or after the head", ["reset", "reset:head", "reset:after-head"],
        "Without a moment nothing is sent. " + moments + " What the client has not read yet may be lost."
      )
    case .hang:
      (
        "Accept the request and never answer, or stop within the answer", ["hang", "hang:head", "hang:body"],
        "The connection stays open until the client leaves or the mock ends. " + moments
      )
    case .truncate:
      (
        "Announce the whole body, send its first half, close", ["truncate"],
        "The same as `close:body`. An answer without a body is cut within its head."
      )
    case .wrongLength:
      (
        "Announce a Content-Length that is not that of the body", ["wrong-length:1", "wrong-length:-1"],
        "The number is added to the true length; 1 without a number. The connection is closed after the body."
      )
    case .malformedChunk:
      (
        "Send the body in chunks, the second with a size that is not a number", ["bad-chunk"],
        "The first chunk has half of the body. The connection is closed after it (RFC 9112, 7.1)."
      )
    case .garbage:
      ("Send bytes that are not HTTP, and close", ["garbage"], "Neither a status line nor text in any encoding.")
    case .html:
      (
        "Send a page of HTML under the media type of the answer", ["html"],
        "As a gateway does that knows no JSON. Status and header fields stay as they are."
      )
    case .invalidUTF8:
      (
        "Put bytes into the body that are not UTF-8", ["invalid-utf8"],
        "Before the last quotation mark, so that the rest of a JSON text stays valid; else in the middle."
      )
    case .duplicateHeaders:
      ("Send each header field twice, with the same value", ["duplicate-headers"], "RFC 9110, 5.3 and 8.6.")
    case .conflictingHeaders:
      (
        "Send a second Content-Length and Content-Type that contradict the first", ["conflicting-headers"],
        "A client must not use such a message (RFC 9112, 6.3). The connection is closed after it."
      )
    }
  }

  private static let sockets = SocketFault.all.map { fault in
    FaultTopic(
      "sockets.\(fault.example.prefix { $0 != ":" })",
      "Of sockets: " + fault.summary.prefix(1).lowercased() + fault.summary.dropFirst(), [fault.example],
      "After `sockets=`, or for one event after `sockets/EVENT=`: `--fault sockets/chat=duplicate`. `*3` after it: three times."
    )
  }

  private static let moments = """
    The moments: `start` before the first byte, `head` within the head, `after-head` before the body, `body` within the \
    body, `end` after the last byte.
    """

  private static let conditions = [
    FaultTopic(
      "when.chance", "A fault of some answers, by chance", ["reset@20%"],
      "The same seed (`--seed`) chooses the same answers, counted in the order in which they are sent."),
    FaultTopic(
      "when.first", "A fault of the first answers only", ["close@first:2"],
      "Counts the answers that the rule is for. Tests a client that tries again."),
    FaultTopic("when.after", "A fault of all but the first answers", ["hang@after:3"], "The opposite of `first`."),
    FaultTopic(
      "when.flap", "Good answers and faults in turn", ["reset@flap:3:2"], "Here 3 good answers, then 2 resets, again."),
    FaultTopic(
      "when.window", "A fault within a window of the clock", ["close@10s..30s", "close@10s..30s/60s"],
      """
      The clock begins when the mock starts, and again when it is loaded anew or restarted. With a period after the `/`, \
      the window comes back in each. Several conditions, each after an `@`, must all hold.
      """),
  ]
}
