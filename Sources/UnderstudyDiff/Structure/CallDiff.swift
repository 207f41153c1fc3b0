/// Compares requests that the provider sends: clients read their bodies, and write the responses.
struct CallDiff {
  private let diff: ContractDiff
  /// The operation of findings: the webhook, or the operation with the callback.
  private let subject: Operation
  private var changes: ChangeList { diff.changes }

  init(_ diff: ContractDiff, about subject: Operation) {
    self.diff = diff
    self.subject = subject
  }

  // MARK: - Callbacks

  func callbacks(_ before: [Callback], _ after: [Callback], of operation: Operation) {
    func same(_ callback: Callback, _ list: [Callback]) -> Callback? {
      list.first { $0.name.utf8Equals(callback.name) && $0.expression.utf8Equals(callback.expression) }
    }
    var added = after.filter { same($0, before) == nil }
    for callback in before {
      let name = "callback `\(callback.name)`"
      guard let other = same(callback, after) ?? added.first(where: { $0.name.utf8Equals(callback.name) }) else {
        changes.add(
          .callbackRemoved, "the \(name) was removed", new: operation.keyNode, old: callback.operations.first?.node,
          about: subject)
        continue
      }
      added.removeAll { $0.name.utf8Equals(other.name) && $0.expression.utf8Equals(other.expression) }
      if !callback.expression.utf8Equals(other.expression) {
        changes.add(
          .callbackURL, "the \(name) is now sent to `\(other.expression)`, was `\(callback.expression)`",
          new: other.operations.first?.pathNode ?? operation.keyNode, old: callback.operations.first?.pathNode,
          about: subject)
      }
      methods(callback, other, name, operation)
    }
    for callback in added {
      changes.add(
        .callbackAdded, "the callback `\(callback.name)` was added", new: callback.operations.first?.node,
        old: nil, about: subject)
    }
  }

  private func methods(_ before: Callback, _ after: Callback, _ name: String, _ operation: Operation) {
    for call in before.operations {
      if let now = after.operations.first(where: { $0.method == call.method }) {
        compare(call, now, name)
      } else {
        changes.add(
          .callbackRemoved, "the \(name) no longer sends `\(call.method)`", new: operation.keyNode, old: call.node,
          about: subject)
      }
    }
  }

  // MARK: - Calls

  /// - Parameter name: The words for the call: `webhook `born``.
  func compare(_ old: Operation, _ new: Operation, _ name: String) {
    body(old, new, name)
    parameters(old, new, name)
    responses(old, new, name)
  }

  private func body(_ old: Operation, _ new: Operation, _ name: String) {
    let (before, after) = (old.requestBody, new.requestBody)
    if let before, let after, before.isRequired, !after.isRequired {
      changes.add(
        .callBodyOptional, "the \(name) may now have no body", new: after.node, old: before.node, about: subject)
    }
    let content = ContentDiff(
      diff: diff, operation: subject, direction: .response, body: "body of the \(name)", owner: "the \(name)",
      old: before?.node ?? old.keyNode, new: after?.node ?? new.keyNode)
    content.run(before?.content ?? [], after?.content ?? [])
  }

  private func parameters(_ old: Operation, _ new: Operation, _ name: String) {
    for parameter in old.parameters where parameter.location != .path {
      let words = "\(ParameterDiff.name(parameter)) of the \(name)"
      let key = ParameterKey(parameter.name, in: parameter.location.rawValue)
      guard let other = new.parameters.first(where: { ParameterKey($0.name, in: $0.location.rawValue) == key }) else {
        changes.add(
          parameter.isRequired ? .headerRemoved : .headerRemovedOptional, "\(words) was removed", new: new.keyNode,
          old: parameter.node, about: subject)
        continue
      }
      if parameter.isRequired, !other.isRequired {
        changes.add(
          .headerOptional, "\(words) is no longer required", new: other.node, old: parameter.node, about: subject)
      }
      diff.compare(
        parameter.schema ?? parameter.content?.schema, other.schema ?? other.content?.schema,
        SchemaPlace(
          name: words, direction: .response, operation: subject, node: other.node,
          text: other.content == nil ? .whole : .none))
    }
  }

  /// Responses that clients write are judged like requests.
  private func responses(_ old: Operation, _ new: Operation, _ name: String) {
    for before in old.responses {
      let after =
        new.responses.first { $0.status == before.status } ?? ResponseDiff.substitute(for: before.status, in: new)
      guard let after else {
        if ResponseDiff.isSuccess(before.status) {
          changes.add(
            .callResponseRemoved, "the response `\(before.status)` to the \(name) is no longer accepted",
            new: new.node.key("responses") ?? new.keyNode, old: before.node, about: subject)
        }
        continue
      }
      guard !before.content.isEmpty, !after.content.isEmpty else { continue }
      let content = ContentDiff(
        diff: diff, operation: subject, status: before.status.description, direction: .request,
        body: "response body to the \(name)", owner: "the response to the \(name)", old: before.node, new: after.node)
      content.run(before.content, after.content)
    }
  }
}
