/// The items that a collection begins with: its fixtures, else the examples of the contract.
struct ResourceSeeds {
  let contract: ResourceContract
  let idMember: String?

  /// Items of the list first, then of the answers with one; of one id the first.
  func values(list: CompiledOperation?, read: CompiledOperation?) -> [JSON] {
    let lists = list.map { items(of: bodies(of: $0)) } ?? []
    let ones = read.map { bodies(of: $0).flatMap { single(in: $0) } } ?? []
    var seen: Set<String> = []
    return (lists + ones).filter { value in
      guard let idMember else { return true }
      guard let id = value[idMember], id.isString || id.kind == .number else { return false }
      return seen.insert(id.plainText).inserted
    }
  }

  /// The object that a response shows, for a collection that is one object.
  func single(of read: CompiledOperation?) -> [JSON] {
    Array((read.map { bodies(of: $0) } ?? []).filter(\.isObject).prefix(1))
  }

  /// The values of the fixtures of the success that answer by themselves; without any, of the contract's examples.
  private func bodies(of operation: CompiledOperation) -> [JSON] {
    let code = operation.successCode
    let fixtures = (contract.fixtures[operation.id] ?? []).filter { fixture in
      fixture.status.code == code && fixture.violates.isEmpty && (fixture.name == nil || fixture.when != nil)
    }
    let values = fixtures.compactMap { fixture -> JSON? in
      guard case .bytes(let bytes, "json") = fixture.body else { return nil }
      return try? JSONParser.parse(bytes).root
    }
    if !values.isEmpty { return values }
    let cell = operation.cells.first { $0.status.code == code }
    return (cell?.content ?? []).filter { MediaRange($0.range)?.syntax == .json }.flatMap(\.examples).compactMap {
      if case .data(let value) = $0.value { value } else { nil }
    }
  }

  private func items(of bodies: [JSON]) -> [JSON] {
    bodies.flatMap { body in
      body.isArray
        ? Array(body.elements) : body.members.first { $0.value.isArray }.map { Array($0.value.elements) } ?? []
    }.filter(\.isObject)
  }

  private func single(in body: JSON) -> [JSON] {
    guard body.isObject, let idMember else { return [] }
    if body[idMember] != nil { return [body] }
    return body.members.map(\.value).filter { $0.isObject && $0[idMember] != nil }
  }
}
