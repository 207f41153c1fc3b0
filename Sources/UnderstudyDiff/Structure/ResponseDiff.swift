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
      } else if let after = Self.substitute(for: before.status, in: new) {
        compare(before, after, before.status)
      } else if !Self.isDivided(before.status, in: new) {
        removed(before)
      }
    }
    for after in new.responses where !old.responses.contains(where: { $0.status == after.status }) {
      if let before = Self.substitute(for: after.status, in: old) {
        compare(before, after, after.status)
      } else {
        added(after)
      }
    }
  }

  /// The response that a status without an entry of its own selects; `default` stands for a success only beside no other one.
  static func substitute(for status: Response.Status, in operation: Operation) -> Response? {
    guard case .code(let code) = status else { return nil }
    let isDefault = code >= 400 || !operation.responses.contains { isSuccess($0.status) }
    return operation.responses.first { $0.status == .range(code / 100) }
      ?? (isDefault ? operation.responses.first { $0.status == .default } : nil)
  }

  /// Whether codes replace a range.
  private static func isDivided(_ status: Response.Status, in operation: Operation) -> Bool {
    guard case .range(let hundreds) = status else { return false }
    return operation.responses.contains {
      if case .code(let code) = $0.status { code / 100 == hundreds } else { false }
    }
  }

  static func isSuccess(_ status: Response.Status) -> Bool {
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
    LinkDiff(operation, status.description).run(before, after)
  }

  private func contents(_ before: Response, _ after: Response, _ status: String) {
    let content = ContentDiff(
      diff: operation.diff, operation: new, status: status, direction: .response, body: "response body",
      owner: "the response", old: before.node, new: after.node)
    content.run(before.content, after.content)
  }

  private func headers(_ before: Response, _ after: Response, _ status: String) {
    func find(_ name: String, _ response: Response) -> Header? {
      response.headers.first { $0.name.lowercased().utf8Equals(name.lowercased()) }
    }
    func add(_ rule: Rule, _ words: String, new node: JSON, old: JSON) {
      changes.add(rule, "the response header \(words)", new: node, old: old, about: new, status: status)
    }
    for header in before.headers where Self.isDescribed(header) {
      guard let other = find(header.name, after) else {
        add(
          header.isRequired ? .headerRemoved : .headerRemovedOptional, "`\(header.name)` was removed", new: after.node,
          old: header.node)
        continue
      }
      if header.isRequired, !other.isRequired {
        add(.headerOptional, "`\(header.name)` is no longer required", new: other.node, old: header.node)
      }
      operation.diff.compare(
        header.schema ?? header.content?.schema, other.schema ?? other.content?.schema,
        SchemaPlace(
          name: "the response header `\(header.name)`", direction: .response, operation: new, status: status,
          node: other.node, text: other.content == nil ? .whole : .none))
    }
    for header in after.headers where Self.isDescribed(header) && find(header.name, before) == nil {
      add(.headerAdded, "`\(header.name)` was added", new: header.node, old: before.node)
    }
  }

  /// Whether a definition counts: the media types describe `Content-Type` (OAS 3.1, 4.8.17).
  private static func isDescribed(_ header: Header) -> Bool { header.name.lowercased() != "content-type" }
}
