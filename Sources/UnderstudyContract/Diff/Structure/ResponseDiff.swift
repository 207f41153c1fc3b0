/// Compares the responses of two versions of an operation.
struct ResponseDiff {
  private let operation: OperationDiff
  private var old: Operation { operation.old }
  private var new: Operation { operation.new }
  private var changes: ChangeList { operation.changes }

  init(_ operation: OperationDiff) { self.operation = operation }

  func run() {
    for before in old.responses {
      if let after = new.responses.first(where: { $0.status == before.status }) {
        compare(before, after, before.status)
      } else if let after = substitute(for: before.status, in: new) {
        compare(before, after, before.status)
      } else {
        removed(before)
      }
    }
    for after in new.responses where !old.responses.contains(where: { $0.status == after.status }) {
      if let before = substitute(for: after.status, in: old) {
        compare(before, after, after.status)
      } else {
        added(after)
      }
    }
  }

  /// The response that a status without an entry of its own selects; `default` stands for errors alone.
  private func substitute(for status: Response.Status, in operation: Operation) -> Response? {
    guard case .code(let code) = status else { return nil }
    return operation.responses.first { $0.status == .range(code / 100) }
      ?? (code >= 400 ? operation.responses.first { $0.status == .default } : nil)
  }

  private static func isSuccess(_ status: Response.Status) -> Bool {
    switch status {
    case .code(let code): code < 400
    case .range(let hundreds): hundreds < 4
    case .default: false
    }
  }

  /// Whether a response never has a body (RFC 9110, 6.4.1).
  private static func hasNoBody(_ status: Response.Status) -> Bool {
    switch status {
    case .code(let code): code < 200 || code == 204 || code == 304
    case .range(let hundreds): hundreds == 1
    case .default: false
    }
  }

  private func removed(_ response: Response) {
    let isDefault = response.status == .default
    let rule: Rule =
      isDefault ? .defaultRemoved : Self.isSuccess(response.status) ? .successRemoved : .errorRemoved
    changes.add(
      rule, "the response `\(response.status)` was removed", new: new.node.key("responses") ?? new.keyNode,
      old: response.node, about: new, status: response.status.description)
  }

  private func added(_ response: Response) {
    let isDefault = response.status == .default
    let rule: Rule = isDefault ? .defaultAdded : Self.isSuccess(response.status) ? .successAdded : .errorAdded
    // A client whose statuses are meanings has no case for a further one.
    let isUnnamedCase = rule == .successAdded && old.responses.contains(where: \.isNamed)
    changes.add(
      rule, "the response `\(response.status)` was added", new: response.node,
      old: old.node.key("responses") ?? old.keyNode, about: new, status: response.status.description,
      severity: isUnnamedCase ? .error : nil,
      help: isUnnamedCase ? "the statuses have meanings, and generated enums have no case for it" : nil)
  }

  private func compare(_ before: Response, _ after: Response, _ status: Response.Status) {
    if !Self.hasNoBody(status) { contents(before, after, status.description) }
    headers(before, after, status.description)
    for link in before.links where !after.links.contains(where: { $0.name.utf8Equals(link.name) }) {
      changes.add(
        .linkRemoved, "the link `\(link.name)` of the response was removed", new: after.node, old: link.node,
        about: new, status: status.description)
    }
  }

  private func contents(_ before: Response, _ after: Response, _ status: String) {
    for content in before.content {
      let range = MediaRange(content.range)
      let isLeft = after.content.contains { other in
        MediaRange(other.range).covers(range) || range.covers(MediaRange(other.range))
      }
      if !isLeft {
        changes.add(
          .responseMediaTypeRemoved, "the response no longer has the media type `\(content.range)`", new: after.node,
          old: content.node, about: new, status: status)
      }
    }
    for content in after.content {
      let range = MediaRange(content.range)
      guard let other = before.content.entry(for: content.range) else {
        let narrower = before.content.first { range.covers(MediaRange($0.range)) }
        changes.add(
          narrower == nil ? .responseMediaTypeAdded : .responseMediaTypeGeneralized,
          narrower.map { "the media type of the response is now `\(content.range)`, was `\($0.range)`" }
            ?? "the response now has the media type `\(content.range)`", new: content.node,
          old: narrower?.node ?? before.node, about: new, status: status)
        continue
      }
      let place = SchemaPlace(
        name: after.content.count > 1 ? "response body (\(content.range))" : "response body", direction: .response,
        operation: new, status: status, node: content.node)
      if other.schema != nil, content.schema == nil {
        changes.add(
          .responseSchemaRemoved, "the schema of the response body was removed", new: content.node, old: other.node,
          about: new, status: status)
      } else {
        operation.diff.compare(other.schema, content.schema, place)
        operation.diff.compare(other.itemSchema, content.itemSchema, place)
      }
    }
  }

  private func headers(_ before: Response, _ after: Response, _ status: String) {
    for header in before.headers {
      let name = "the response header `\(header.name)`"
      guard let other = after.headers.first(where: { $0.name.lowercased().utf8Equals(header.name.lowercased()) }) else {
        changes.add(
          header.isRequired ? .headerRemoved : .headerRemovedOptional, "\(name) was removed", new: after.node,
          old: header.node, about: new, status: status)
        continue
      }
      if header.isRequired, !other.isRequired {
        changes.add(
          .headerOptional, "\(name) is no longer required", new: other.node, old: header.node, about: new,
          status: status)
      }
      operation.diff.compare(
        header.schema ?? header.content?.schema, other.schema ?? other.content?.schema,
        SchemaPlace(
          name: name, direction: .response, operation: new, status: status, node: other.node,
          isText: other.content == nil))
    }
  }
}
