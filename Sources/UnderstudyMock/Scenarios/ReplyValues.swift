/// The values of a reply, for the variables that a rule sets.
struct ReplyValues: RequestValues, Sendable {
  private let reply: Reply
  private let root: JSON?

  init(_ reply: Reply) {
    self.reply = reply
    root = MessageBody(reply.body).root
  }

  package func nodes(_ selector: BodySelector, within budget: WorkBudget?) -> [JSON] {
    guard let root else { return [] }
    switch selector {
    case .field(let name): return node(name, in: root).map { [$0] } ?? []
    case .path(let path): return path.nodes(in: root, within: budget) ?? []
    }
  }

  private func node(_ name: String, in root: JSON) -> JSON? {
    name.utf8.first == UInt8(ascii: "/") ? JSONPointer(name).flatMap { root[$0] } : root[name]
  }

  package func values(_ part: RequestPart, _ name: String) -> [String] {
    switch part {
    case .header: reply.response.headerFields.lines(named: name)
    case .body: root.flatMap { node(name, in: $0) }?.requestTexts ?? []
    case .path, .query, .cookie, .file, .fileType: []
    }
  }
}
