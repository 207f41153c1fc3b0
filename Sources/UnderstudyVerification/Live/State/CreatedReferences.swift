/// Finds the parts of requests that name what the run created.
struct CreatedReferences {
  /// By the path of the collection, or by the operation and parameter of a link.
  private let creations: [String: [Creation]]

  init(_ creations: [String: [Creation]]) { self.creations = creations }

  /// The parts of a draft that name created things: path parameters by their collection, others and members by name.
  func find(in draft: RequestDraft, of operation: Operation) -> [CreatedReference] {
    guard !creations.isEmpty else { return [] }
    var references: [CreatedReference] = []
    func add(_ place: CreatedReference.Place, _ name: String, _ id: JSON, _ keys: [String], else others: [String] = [])
    {
      func created(in keys: [String]) -> [CreatedReference] {
        keys.flatMap { creations[$0] ?? [] }.compactMap { creation in
          guard let (member, value) = creation.identifier(for: name), value.plainText.utf8Equals(id.plainText) else {
            return nil
          }
          return CreatedReference(place: place, name: name, id: id, creation: creation, member: member)
        }
      }
      var found = created(in: keys)
      if found.isEmpty { found = created(in: others) }
      // One whose id a command can read.
      let best = found.first { $0.creation.reading(id, from: $0.member) != nil } ?? found.first
      if let best { references.append(best) }
    }
    func keys(_ name: String) -> [String] {
      creations.keys.filter { KnownValues.name(ofItemsIn: $0) == ItemIdentifier.plain(name) }.sorted()
    }
    let path = draft.pathValues(of: operation)
    for (argument, collection) in path {
      let name = argument.parameter.name
      let keys = [collection, "\(operation.id).\(name)"].compactMap(\.self)
      // Servers may ignore what is before a unique id.
      let last = collection?.split(separator: "/").last.map { "/\($0)" }
      let alike = last.map { last in creations.keys.filter { $0.hasSuffix(last) }.sorted() } ?? []
      add(.parameter(argument.parameter), name, argument.value, keys, else: alike)
    }
    for argument in draft.arguments
    where argument.parameter.location != .path && ItemIdentifier.isScalar(argument.value) {
      let name = argument.parameter.name
      add(.parameter(argument.parameter), name, argument.value, keys(name) + ["\(operation.id).\(name)"])
    }
    guard case .value(let body, _)? = draft.body else { return references }
    // A member of any name may name a neighbour: `copy_from` below `/files/{path}`.
    let neighbours = path.compactMap(\.collection)
    var pending: [(value: JSON, tokens: [String])] = [(body, [])]
    var seen = 0
    while let (value, tokens) = pending.popLast(), seen < KnownValues.memberLimit {
      for member in value.members where seen < KnownValues.memberLimit {
        seen += 1
        let place = tokens + [member.name]
        if ItemIdentifier.isScalar(member.value) {
          add(.body(place), member.name, member.value, keys(member.name) + (member.value.isString ? neighbours : []))
        } else if tokens.count < KnownValues.depthLimit {
          pending.append((member.value, place))
        }
      }
      guard tokens.count < KnownValues.depthLimit else { continue }
      for (position, element) in value.elements.prefix(KnownValues.memberLimit).enumerated() {
        let place = tokens + [String(position)]
        guard ItemIdentifier.isScalar(element), let name = tokens.last else {
          pending.append((element, place))
          continue
        }
        // `groups: [2]`
        let item = ItemIdentifier.singular(name) + "_id"
        add(.body(place), item, element, keys(item))
      }
    }
    return references
  }
}

extension RequestDraft {
  /// The parameters of a path with their values, each with the collection that it is from; `nil` where that has no path.
  func pathValues(of operation: Operation) -> [(argument: Argument, collection: String?)] {
    var found: [(argument: Argument, collection: String?)] = []
    operation.forEachPathParameter { name, collection in
      let argument = arguments.first { $0.parameter.location == .path && $0.parameter.name.utf8.elementsEqual(name) }
      if let argument { found.append((argument, collection)) }
      return argument?.value.plainText
    }
    return found
  }
}

extension Operation {
  /// Calls `body` with the names in the path's expressions, from left to right, and with the path before each, `nil`
  /// where a value in it is not known; `body` returns the value of the parameter.
  func forEachPathParameter(_ body: (_ name: [UInt8], _ collection: String?) -> String?) {
    var prefix: String? = ""
    for segment in template.segments {
      guard segment.count == 1, let part = segment.first else {
        prefix = segment.isEmpty ? prefix : nil
        continue
      }
      switch part {
      case .literal(let text): prefix = prefix.map { $0 + "/" + String(decoding: text, as: UTF8.self) }
      case .expression(let name):
        let value = body(Array(name), prefix)
        prefix = prefix.flatMap { prefix in value.map { "\(prefix)/\($0)" } }
      }
    }
  }
}
