/// Deletes a created item that a resource refers to, and reads the resource: a server that looks it up may fail.
struct RemovedReferences {
  let steps: SequenceSteps

  func run(into results: inout [OperationResult]) async {
    guard steps.settings.allowsUnsafe else { return }
    for position in results.indices {
      let subject = results[position].subject
      guard subject.operation.method == "POST", subject.operation.template.names.isEmpty,
        let first = results[position].success, let body = LinkValue(first.call, first.answer).body
      else { continue }
      for deletion in deletions(beside: subject) where Self.id(in: body, of: deletion.operation) != nil {
        guard steps.progress.reasonToStop == nil else { return }
        await steps.counted(&results) { await run(subject, first.call, deletion, &$0) }
      }
    }
  }

  /// The operations that delete an item of another collection.
  private func deletions(beside subject: LiveOperation) -> [LiveOperation] {
    steps.subjects.allowed.filter { other in
      other.operation.method == "DELETE" && other.operation.template.names.count == 1
        && Self.collection(of: other.operation).map { !$0.utf8Equals(subject.operation.path) } == true
    }
  }

  /// `/kernels` of `/kernels/{id}`.
  private static func collection(of operation: Operation) -> String? {
    guard operation.path.hasSuffix("}"), let slash = operation.path.lastIndex(of: "/") else { return nil }
    return String(operation.path[..<slash])
  }

  private func reader(of path: String) -> LiveOperation? {
    steps.subjects.allowed.first { $0.operation.method == "GET" && $0.operation.path.utf8Equals(path) }
  }

  private func run(
    _ subject: LiveOperation, _ first: LiveCall, _ deletion: LiveOperation, _ results: inout [OperationResult]
  ) async {
    guard let collection = Self.collection(of: deletion.operation), let listing = reader(of: collection),
      let list = steps.call(of: listing, Self.label),
      let before = await steps.send(list, of: listing, &results), 200...299 ~= before.status,
      let creation = await steps.creation(of: subject, like: first, &results),
      let body = LinkValue(creation.call, creation.answer).body,
      let id = Self.id(in: body, of: deletion.operation),
      // What was there before, or what the request names, is not the resource's own.
      !Self.contains(before.body.bytes, id), !Self.contains(creation.call.wire.body, id),
      let parameter = deletion.parameters.first(where: { $0.location == .path }),
      let delete = steps.call(of: deletion, setting: parameter, to: id, Self.label),
      let deleted = await steps.send(delete, of: deletion, after: [creation], &results),
      // 202 promises to delete later (RFC 9110, 15.3.3).
      200...299 ~= deleted.status, deleted.status != 202
    else { return }
    for target in [reader(of: subject.operation.path), item(below: subject)].compactMap(\.self) {
      let own = target.parameters.first { $0.location == .path }
      let ownId = own.flatMap { LinkValue(creation.call, creation.answer).identity(for: $0.name) }
      guard own == nil || ownId != nil, let read = steps.call(of: target, setting: own, to: ownId, Self.label) else {
        continue
      }
      await steps.validate(
        read, of: target, after: [creation, (delete, deleted)], by: [.responseServerError], &results)
    }
  }

  private func item(below subject: LiveOperation) -> LiveOperation? {
    steps.subjects.allowed.first { other in
      other.operation.method == "GET" && other.operation.template.names.count == 1
        && Self.collection(of: other.operation)?.utf8Equals(subject.operation.path) == true
    }
  }

  private static let label = "after the deletion of what it refers to"

  private static let depthLimit = 2

  private static func contains(_ bytes: [UInt8], _ id: JSON) -> Bool {
    bytes.firstRange(of: Array(id.plainText.utf8)) != nil
  }

  /// The id of an item that a resource names: `kernel: {id: 7}` or `kernel_id: 7` for `/kernels/{id}`.
  private static func id(in value: JSON, of deletion: Operation, _ depth: Int = 0) -> JSON? {
    guard let collection = collection(of: deletion), let name = collection.split(separator: "/").last,
      let parameter = deletion.template.names.last.map({ String(decoding: $0, as: UTF8.self) })
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
