/// Compares two versions of one operation.
struct OperationDiff {
  let diff: ContractDiff
  let old: Operation
  let new: Operation
  var changes: ChangeList { diff.changes }

  init(_ diff: ContractDiff, _ old: Operation, _ new: Operation) {
    self.diff = diff
    self.old = old
    self.new = new
  }

  func run() {
    Lifecycle.compare(old, new, changes)
    names()
    ParameterDiff(self).run()
    requestBody()
    ResponseDiff(self).run()
    SecurityDiff(self).run()
    callbacks()
  }

  private func names() {
    if let before = old.operationId, !before.utf8Equals(new.operationId ?? "") {
      let words = new.operationId.map { "is now `\($0)`" } ?? "was removed"
      changes.add(
        .operationID, "the `operationId` \(words), was `\(before)`", new: new.node["operationId"] ?? new.keyNode,
        old: old.node["operationId"], about: new)
    }
  }

  private func callbacks() {
    for callback in old.callbacks {
      guard
        let other = new.callbacks.first(where: {
          $0.name.utf8Equals(callback.name) && $0.expression.utf8Equals(callback.expression)
        })
      else {
        changes.add(
          .callbackRemoved, "the callback `\(callback.name)` was removed", new: new.keyNode,
          old: callback.operations.first?.node, about: new)
        continue
      }
      for call in callback.operations {
        guard let now = other.operations.first(where: { $0.method == call.method }) else { continue }
        diff.compareCalls(call, now, "callback `\(callback.name)`", about: new)
      }
    }
  }

  // MARK: - Request body

  private func requestBody() {
    switch (old.requestBody, new.requestBody) {
    case (nil, nil): return
    case (nil, let body?):
      changes.add(
        body.isRequired ? .bodyAddedRequired : .bodyAdded,
        "\(body.isRequired ? "a required" : "an optional") request body was added", new: body.node, old: old.keyNode,
        about: new)
    case (let body?, nil):
      changes.add(.bodyRemoved, "the request body was removed", new: new.keyNode, old: body.node, about: new)
    case (let before?, let after?):
      if before.isRequired != after.isRequired {
        changes.add(
          after.isRequired ? .bodyRequired : .bodyOptional,
          "the request body is \(after.isRequired ? "now" : "no longer") required", new: after.node, old: before.node,
          about: new)
      }
      compare(before, after)
    }
  }

  private func compare(_ before: RequestBody, _ after: RequestBody) {
    for content in before.content {
      guard let other = after.content.entry(for: content.range) else {
        changes.add(
          .requestMediaTypeRemoved, "the request body is no longer accepted as `\(content.range)`", new: after.node,
          old: content.node, about: new)
        continue
      }
      let name = after.content.count > 1 ? "request body (\(content.range))" : "request body"
      diff.compare(
        content.schema, other.schema,
        SchemaPlace(name: name, direction: .request, operation: new, node: other.node))
      encodings(content, other)
    }
    for content in after.content where before.content.entry(for: content.range) == nil {
      changes.add(
        .requestMediaTypeAdded, "the request body is now accepted as `\(content.range)`", new: content.node,
        old: before.node, about: new)
    }
  }

  private func encodings(_ before: MediaTypeObject, _ after: MediaTypeObject) {
    let type = MediaRange(before.range)
    guard type.type == "multipart" || type.subtype == "x-www-form-urlencoded" else { return }
    for property in (before.encodings + after.encodings).map(\.property).unique() {
      func form(_ content: MediaTypeObject) -> [String] {
        let encoding = content.encodings.first { $0.property.utf8Equals(property) }
        return [
          encoding?.contentType?.lowercased() ?? "", "\(encoding?.style ?? .form)", "\(encoding?.explode ?? true)",
        ]
      }
      guard form(before) != form(after) else { continue }
      let node = after.encodings.first { $0.property.utf8Equals(property) }?.node
      changes.add(
        .requestEncoding, "the encoding of the property `\(property)` changed", new: node ?? after.node,
        old: before.encodings.first { $0.property.utf8Equals(property) }?.node ?? before.node, about: new)
    }
  }
}
