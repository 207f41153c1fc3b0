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
    Lifecycle.compareStability(old, new, changes)
    deprecation()
    names()
    servers()
    ParameterDiff(self).run()
    requestBody()
    ResponseDiff(self).run()
    SecurityDiff(
      .init(operation: old, schemes: diff.old.securitySchemes, root: diff.old.root),
      .init(operation: new, schemes: diff.new.securitySchemes, root: diff.new.root), changes
    ).run()
    CallDiff(diff, about: new).callbacks(old.callbacks, new.callbacks, of: new)
  }

  private func deprecation() {
    if old.isDeprecated != new.isDeprecated {
      let words = new.isDeprecated ? "is now deprecated" : "is no longer deprecated"
      changes.add(
        new.isDeprecated ? .operationDeprecated : .operationReactivated, "the operation \(words)",
        new: new.node.key("deprecated") ?? new.keyNode, old: old.node.key("deprecated") ?? old.keyNode, about: new)
    }
    Lifecycle(new).compare(with: Lifecycle(old), diff.options, changes, about: new)
  }

  private func names() {
    if let before = old.operationId, !before.utf8Equals(new.operationId ?? "") {
      let words = new.operationId.map { "is now `\($0)`" } ?? "was removed"
      let isLinked = diff.linkedOperations.contains(before)
      changes.add(
        .operationID, "the `operationId` \(words), was `\(before)`", new: new.node["operationId"] ?? new.keyNode,
        old: old.node["operationId"], about: new, severity: isLinked ? .warning : nil,
        help: isLinked ? "links of the old contract lead to this name" : nil)
    }
    if Set(old.tags) != Set(new.tags) {
      func words(_ tags: [String]) -> String {
        tags.isEmpty ? "none" : tags.map { "`\($0)`" }.joined(separator: ", ")
      }
      changes.add(
        .operationTags, "the tags are now \(words(new.tags)), were \(words(old.tags))",
        new: new.node.key("tags") ?? new.keyNode, old: old.node.key("tags"), about: new)
    }
  }

  /// Servers of an operation or its path replace the root servers.
  private func servers() {
    func isOwn(_ operation: Operation) -> Bool {
      (operation.node["servers"] ?? operation.pathNode["servers"]) != nil
    }
    guard isOwn(old) || isOwn(new) else { return }
    diff.compareServers(old.servers, new.servers, at: (old.keyNode, new.keyNode), about: new)
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
    let content = ContentDiff(
      diff: diff, operation: new, direction: .request, body: "request body", owner: "the request body",
      old: before.node, new: after.node)
    content.run(before.content, after.content)
  }
}
