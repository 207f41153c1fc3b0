/// Reads below a new resource after each of its actions: `POST /projects/{id}/close` may change responses.
struct StateChanges {
  let steps: SequenceSteps

  private static let actionLimit = 4
  /// The most reads after one action; the next action is followed by the next reads.
  private static let readLimit = 4
  private static let rules: [Rule] = [.responseStatusUndocumented, .responseServerError]

  func run(into results: inout [OperationResult]) async {
    guard steps.settings.allowsUnsafe else { return }
    for position in results.indices {
      let subject = results[position].subject
      guard subject.operation.method == "POST", subject.operation.template.names.isEmpty,
        let first = results[position].success, steps.progress.reasonToStop == nil
      else { continue }
      let below = results.filter { Self.isBelowItem($0.subject.operation, of: subject.operation) }
      let actions = below.map(\.subject).filter(Self.isAction).prefix(Self.actionLimit)
      let reads = below.filter(Self.isReadable).map(\.subject)
      guard !actions.isEmpty, !reads.isEmpty else { continue }
      await steps.counted(&results) { await run(subject, first.call, Array(actions), reads, &$0) }
    }
  }

  private func run(
    _ subject: LiveOperation, _ first: LiveCall, _ actions: [LiveOperation], _ reads: [LiveOperation],
    _ results: inout [OperationResult]
  ) async {
    guard let creation = await steps.creation(of: subject, like: first, &results) else { return }
    var done = [creation]
    for (turn, action) in actions.enumerated() {
      guard let call = call(of: action, creation),
        let answer = await steps.send(call, of: action, after: done, &results), 200...299 ~= answer.status
      else { continue }
      done.append((call, answer))
      for offset in 0..<min(Self.readLimit, reads.count) {
        let read = reads[(turn * Self.readLimit + offset) % reads.count]
        guard let asking = self.call(of: read, creation) else { continue }
        await steps.validate(asking, of: read, after: done, by: Self.rules, &results)
      }
    }
  }

  /// A request that names the new resource.
  private func call(of subject: LiveOperation, _ creation: SequenceSteps.Step) -> LiveCall? {
    guard let parameter = subject.parameters.first(where: { $0.location == .path }),
      let id = LinkValue(creation.call, creation.answer).identity(for: parameter.name)
    else { return nil }
    return steps.call(of: subject, setting: parameter, to: id, "after an action")
  }

  /// `/projects/{id}/close` for `/projects`.
  private static func isBelowItem(_ operation: Operation, of creation: Operation) -> Bool {
    guard operation.path.hasPrefix(creation.path + "/") else { return false }
    let rest = operation.path.dropFirst(creation.path.count + 1).split(separator: "/")
    return rest.count == 2 && rest[0].hasPrefix("{") && rest[0].hasSuffix("}") && !rest[1].contains("{")
  }

  private static func isAction(_ subject: LiveOperation) -> Bool {
    subject.operation.method == "POST" && subject.operation.requestBody?.isRequired != true && subject.danger == .none
  }

  /// Whether an operation reads, and has responded without a stream or a failure.
  private static func isReadable(_ result: OperationResult) -> Bool {
    result.subject.operation.method == "GET" && result.failures.isEmpty && !result.subject.documentsStream
      && result.success.map { !$0.answer.isEndless && $0.answer.body.reason == nil } == true
  }
}
