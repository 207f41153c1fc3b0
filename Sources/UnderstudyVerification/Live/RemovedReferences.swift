/// Deletes what a server created together with a resource that refers to it, and reads the resource again: a server that looks
/// the deleted one up may fail.
struct RemovedReferences {
  let subjects: LiveOperations
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress
  let known: KnownValues

  private typealias Step = (call: LiveCall, answer: LiveAnswer)

  func run(into results: inout [OperationResult]) async {
    guard settings.allowsUnsafe else { return }
    for position in results.indices {
      let subject = results[position].subject
      guard subject.operation.method == "POST", PathTemplate(subject.operation.path).names.isEmpty,
        let first = results[position].success, let body = LinkValue(first.call, first.answer).body
      else { continue }
      for deletion in deletions(beside: subject) where Self.id(in: body, of: deletion.operation) != nil {
        guard progress.reasonToStop == nil else { return }
        let errors = results.reduce(0) { $0 + $1.findings.errors }
        await run(subject, first.call, deletion, &results)
        progress.noteErrors(results.reduce(0) { $0 + $1.findings.errors } - errors)
      }
    }
  }

  /// The operations that delete an item of another collection.
  private func deletions(beside subject: LiveOperation) -> [LiveOperation] {
    subjects.allowed.filter { other in
      other.operation.method == "DELETE" && PathTemplate(other.operation.path).names.count == 1
        && Self.collection(of: other.operation).map { !$0.utf8Equals(subject.operation.path) } == true
    }
  }

  /// `/kernels` of `/kernels/{id}`.
  private static func collection(of operation: Operation) -> String? {
    guard operation.path.hasSuffix("}"), let slash = operation.path.lastIndex(of: "/") else { return nil }
    return String(operation.path[..<slash])
  }

  private func reader(of path: String) -> LiveOperation? {
    subjects.allowed.first { $0.operation.method == "GET" && $0.operation.path.utf8Equals(path) }
  }

  private func run(
    _ subject: LiveOperation, _ first: LiveCall, _ deletion: LiveOperation, _ results: inout [OperationResult]
  ) async {
    guard let collection = Self.collection(of: deletion.operation), let listing = reader(of: collection),
      let list = call(of: listing), let before = await send(list, of: listing), 200...299 ~= before.status,
      let creation = await creation(of: subject, like: first),
      let body = LinkValue(creation.call, creation.answer).body,
      let id = Self.id(in: body, of: deletion.operation),
      // What was there before, or what the request names, is not the resource's own.
      !Self.contains(before.body, id), !Self.contains(creation.call.wire.body, id),
      let parameter = deletion.parameters.first(where: { $0.location == .path }),
      let delete = call(of: deletion, setting: parameter, to: id), let deleted = await send(delete, of: deletion),
      // 202 promises to delete later (RFC 9110, 15.3.3).
      200...299 ~= deleted.status, deleted.status != 202
    else { return }
    let steps = [creation, (delete, deleted)]
    for target in [reader(of: subject.operation.path), item(below: subject)].compactMap(\.self) {
      let own = target.parameters.first { $0.location == .path }
      let ownId = own.flatMap { LinkValue(creation.call, creation.answer).identity(for: $0.name) }
      guard own == nil || ownId != nil, let read = call(of: target, setting: own, to: ownId),
        let answer = await send(read, of: target),
        let position = results.firstIndex(where: { $0.subject.index == target.index })
      else { continue }
      var validation = LiveResponseValidator(subject: target).validate(read, answer)
      validation.findings.removeAll { $0.rule != .responseServerError }
      results[position].note(read, answer, validation)
      results[position].reproduceRest(by: transcript(steps + [(read, answer)]))
    }
  }

  /// The operation that reads an item of a collection.
  private func item(below subject: LiveOperation) -> LiveOperation? {
    subjects.allowed.first { other in
      other.operation.method == "GET" && PathTemplate(other.operation.path).names.count == 1
        && Self.collection(of: other.operation)?.utf8Equals(subject.operation.path) == true
    }
  }

  /// A new resource; others where the same request creates only once.
  private func creation(of subject: LiveOperation, like first: LiveCall) async -> Step? {
    let valid = ValidRequests(subject: subject, count: settings.count, known: known)
    let others = (0..<3).compactMap { valid.call(settings.count + 10 + $0) }
    let named = FreshValues(subject: subject, run: settings.run).call(like: first, number: 20_000, namesOnly: true)
    for call in [named].compactMap(\.self) + others + [first] {
      guard let answer = await send(call, of: subject) else { return nil }
      if 200...299 ~= answer.status { return (call, answer) }
    }
    return nil
  }

  private func call(of subject: LiveOperation, setting parameter: Parameter? = nil, to value: JSON? = nil) -> LiveCall?
  {
    guard var draft = ValidRequests(subject: subject, count: 2, known: known).draft(1) else { return nil }
    if let parameter, let value { draft = draft.setting(parameter, to: value) }
    var call = subject.validCall(draft, .valid, "after the deletion of what it refers to")
    call?.phase = .stateful
    return call
  }

  private func send(_ call: LiveCall, of subject: LiveOperation) async -> LiveAnswer? {
    guard progress.reasonToStop == nil, let answer = try? await client.send(call.wire),
      await !progress.credentialsStopped(at: call, answer, of: subject, client)
    else { return nil }
    progress.noteAnswer(call, answer, of: subject)
    return answer
  }

  private func transcript(_ steps: [Step]) -> String {
    let lines = steps.map { "\($0.call.wire.curl(settings.redactor)) # \($0.answer.status)" }
    return known.withoutSecrets(lines.joined(separator: "\n"), of: steps.map(\.answer))
  }

  // MARK: - References

  private static let depthLimit = 2

  private static func contains(_ bytes: [UInt8], _ id: JSON) -> Bool {
    bytes.firstRange(of: Array(id.plainText.utf8)) != nil
  }

  /// The id of an item that a resource names: `kernel: {id: 7}` or `kernel_id: 7` for `/kernels/{id}`.
  private static func id(in value: JSON, of deletion: Operation, _ depth: Int = 0) -> JSON? {
    guard let collection = collection(of: deletion), let name = collection.split(separator: "/").last,
      let parameter = PathTemplate(deletion.path).names.last.map({ String(decoding: $0, as: UTF8.self) })
    else { return nil }
    let item = ItemIdentifier.plain(ItemIdentifier.singular(String(name)))
    for member in value.members {
      let own = ItemIdentifier.plain(member.name)
      if own == item, member.value.isObject, let id = ItemIdentifier.value(in: member.value, for: parameter) {
        return id
      }
      if own == item + "id", ItemIdentifier.isScalar(member.value) { return member.value }
      guard depth < depthLimit, member.value.isObject else { continue }
      if let id = Self.id(in: member.value, of: deletion, depth + 1) { return id }
    }
    return nil
  }
}
