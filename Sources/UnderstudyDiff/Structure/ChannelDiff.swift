/// Compares the channels of two versions: messages that clients receive are judged like responses, others like requests.
struct ChannelDiff {
  private let diff: ContractDiff
  private let old: EventContract
  private let new: EventContract
  private var changes: ChangeList { diff.changes }

  init(_ diff: ContractDiff) {
    self.diff = diff
    (old, new) = (EventContract(diff.old), EventContract(diff.new))
  }

  func run() {
    let before = old.channels
    var added = new.channels
    guard !before.isEmpty || !added.isEmpty else { return }
    func take(_ isSame: (EventChannel) -> Bool) -> EventChannel? {
      added.firstIndex(where: isSame).map { added.remove(at: $0) }
    }
    func isAt(_ old: EventChannel, _ new: EventChannel) -> Bool {
      OperationPairs.shape(old.address) == OperationPairs.shape(new.address)
    }
    let rest = before.filter { old in
      let new = take { isAt(old, $0) && $0.name.utf8Equals(old.name) } ?? take { isAt(old, $0) }
      if let new { compare(old, new) }
      return new == nil
    }
    for old in rest {
      guard let new = take({ $0.name.utf8Equals(old.name) }) else {
        changes.add(.channelRemoved, "the channel `\(old.address)` was removed", old: old.node, about: old.operation)
        continue
      }
      changes.add(
        .channelAddress, "the address of the channel is now `\(new.address)`, was `\(old.address)`",
        new: new.node["address"] ?? new.node, old: old.node["address"] ?? old.node, about: new.operation)
      compare(old, new)
    }
    for new in added {
      changes.add(.channelAdded, "the channel `\(new.address)` was added", new: new.node, about: new.operation)
    }
  }

  // MARK: - Servers

  /// Compares the protocols and paths of servers, and the credentials for them; hosts differ between environments.
  private func servers(_ old: EventChannel, _ new: EventChannel) {
    let (before, after) = (old.servers.map(\.base).unique(), new.servers.map(\.base).unique())
    guard let first = old.servers.first, let last = new.servers.first else { return }
    if before.allSatisfy({ !after.contains($0) }) {
      func words(_ bases: [String]) -> String { bases.map { "`\($0)`" }.joined(separator: ", ") }
      changes.add(
        .channelServerRemoved, "no server of before is left: was \(words(before)), is \(words(after))",
        new: last.node, old: first.node, about: new.operation)
    }
    security(
      old.security, new.security, (old.operation, first.node["security"] ?? first.node),
      (new.operation, last.node["security"] ?? last.node))
  }

  private func security(
    _ before: [SecurityRequirement], _ after: [SecurityRequirement], _ old: (operation: Operation, place: JSON),
    _ new: (operation: Operation, place: JSON)
  ) {
    var (first, second) = (old, new)
    (first.operation.security, second.operation.security) = (before, after)
    SecurityDiff(
      .init(operation: first.operation, schemes: self.old.schemes, root: old.place),
      .init(operation: second.operation, schemes: self.new.schemes, root: new.place), changes
    ).run()
  }

  // MARK: - Messages

  private func compare(_ old: EventChannel, _ new: EventChannel) {
    servers(old, new)
    BindingDiff(diff: diff, name: "the channel", direction: .request, operation: new.operation)
      .compare(old.node["bindings"], new.node["bindings"])
    for isFromClient in [true, false] {
      var added = new.messages.filter { $0.isFromClient == isFromClient }
      var removed: [EventMessage] = []
      for message in old.messages where message.isFromClient == isFromClient {
        if let position = added.firstIndex(where: { $0.name.utf8Equals(message.name) }) {
          compare(message, added.remove(at: position), new)
        } else {
          removed.append(message)
        }
      }
      // Where names are not on the wire, the only message of a side may have any.
      if removed.count == 1, added.count == 1, !old.hasNames, !new.hasNames {
        compare(removed.removeFirst(), added.removeFirst(), new)
      }
      for message in removed { report(removed: message, new) }
      for message in added { report(added: message, old, new) }
    }
  }

  private func report(removed message: EventMessage, _ channel: EventChannel) {
    changes.add(
      .messageRemoved,
      message.isFromClient
        ? "the message `\(message.name)` of clients is no longer accepted"
        : "the message `\(message.name)` is no longer sent",
      new: channel.node, old: message.node, about: channel.operation)
  }

  private func report(added message: EventMessage, _ old: EventChannel, _ channel: EventChannel) {
    changes.add(
      .messageAdded,
      message.isFromClient
        ? "the message `\(message.name)` of clients is now accepted" : "the message `\(message.name)` is now sent",
      new: message.node, old: old.node, about: channel.operation, severity: message.isFromClient ? .info : nil)
  }

  private func compare(_ old: EventMessage, _ new: EventMessage, _ channel: EventChannel) {
    let operation = channel.operation
    func add(_ rule: Rule, _ words: String, _ key: String) {
      changes.add(
        rule, "the message `\(new.name)` \(words)", new: new.node[key] ?? new.node, old: old.node[key] ?? old.node,
        about: operation)
    }
    if let before = old.contentType, let after = new.contentType, !MediaRange(after).covers(MediaRange(before)) {
      add(.messageContentType, "has the media type `\(after)`, was `\(before)`", "contentType")
    }
    security(old.security ?? [], new.security ?? [], (operation, old.node), (operation, new.node))
    let bindings = BindingDiff(
      diff: diff, name: "the message `\(new.name)`", direction: new.isFromClient ? .request : .response,
      operation: operation)
    bindings.compare(old.bindings, new.bindings)
    BindingDiff(
      diff: diff, name: "the operation of the message `\(new.name)`", direction: bindings.direction,
      operation: operation
    ).compare(old.operationBindings, new.operationBindings)
    if old.hasReply, !new.hasReply { add(.messageReplyRemoved, "no longer has a reply", "reply") }
    let place = SchemaPlace(
      name: "the message `\(new.name)`", direction: new.isFromClient ? .request : .response, operation: operation,
      node: new.node)
    if old.foreign != new.foreign {
      let rule: Rule = new.isFromClient ? .diffRequestUndecided : .diffResponseUndecided
      add(rule, "has another payload, in a format that is not compared", "payload")
    } else if let before = old.schemas, let after = new.schemas, old.isList || new.isList, before.count != after.count {
      add(
        .messageArguments, "now has \(after.count.counted("argument")), had \(before.count)", "arguments")
    } else {
      compare(old.schemas ?? [], new.schemas ?? [], place)
    }
    var headers = place
    headers.name = "headers of the message `\(new.name)`"
    diff.compare(old.headers, new.headers, headers)
  }

  private func compare(_ before: [JSON], _ after: [JSON], _ place: SchemaPlace) {
    for position in 0..<max(before.count, after.count) {
      var place = place
      if after.count > 1 { place.name = "argument \(position + 1) of \(place.name)" }
      diff.compare(
        position < before.count ? before[position] : nil, position < after.count ? after[position] : nil, place)
    }
  }
}
