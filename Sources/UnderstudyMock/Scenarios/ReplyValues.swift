/// The values of a reply, for the variables that a rule sets.
struct ReplyValues: RequestValues, Sendable {
  private let reply: Reply
  private let root: JSON?

  init(_ reply: Reply) {
    self.reply = reply
    root = MessageBody(reply.body).root
  }

  package func values(_ part: RequestPart, _ name: String) -> [String] {
    switch part {
    case .header: reply.response.headerFields.lines(named: name)
    case .body:
      root.flatMap { root in
        name.utf8.first == UInt8(ascii: "/") ? JSONPointer(name).flatMap { root[$0] } : root[name]
      }?.requestTexts ?? []
    case .path, .query, .cookie, .file, .fileType: []
    }
  }
}
