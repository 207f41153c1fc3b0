/// How requests use what the server knows.
extension KnownValues {
  /// A draft with known values in its path, its other parameters and its body; `variant` selects among several.
  func applied(
    to draft: RequestDraft, of operation: Operation, _ variant: Int, _ schemas: SchemaLibrary? = nil
  ) -> RequestDraft {
    var draft = draft
    operation.forEachPathParameter { name, collection in
      let parameter = operation.parameters.first { $0.location == .path && $0.name.utf8.elementsEqual(name) }
      guard let parameter else { return nil }
      let values = values(of: parameter, in: operation, collection: collection)
      if !values.isEmpty { draft = draft.setting(parameter, to: values[variant % values.count]) }
      return draft.index(of: parameter).map { draft.arguments[$0].value.plainText }
    }
    for parameter in operation.parameters where parameter.location != .path && !FramingFields.contains(parameter) {
      guard let index = draft.index(of: parameter) else { continue }
      let values = values(of: parameter, in: operation, collection: nil)
      if !values.isEmpty {
        draft = draft.setting(parameter, to: values[variant % values.count])
      } else if hasSchemas, let schema = parameter.schema ?? parameter.content?.schema, let schemas {
        let value = draft.arguments[index].value
        draft.arguments[index].value = applied(to: value, by: schemas.resolved(schema), variant, 0)
      }
    }
    if case .value(let body, let media)? = draft.body {
      var filled = applied(to: body, of: operation, variant, 0)
      if hasSchemas, let schemas { filled = applied(to: filled, media, variant, schemas) }
      draft.body = .value(filled, media)
    }
    return draft
  }

  private func applied(to body: JSON, _ media: MediaTypeObject, _ variant: Int, _ schemas: SchemaLibrary) -> JSON {
    if let schema = media.schema { return applied(to: body, by: schemas.resolved(schema), variant, 0) }
    guard let items = media.itemSchema, body.isArray else { return body }
    let schema = schemas.resolved(items)
    return .array(body.elements.map { applied(to: $0, by: schema, variant, 0) })
  }

  /// A value with those that are given for the schemas that it and its parts refer to.
  private func applied(to value: JSON, by schema: ResolvedSchema, _ variant: Int, _ depth: Int) -> JSON {
    let references = (schema.chain + schema.alternatives).compactMap { $0.reference?.string }
    let fitting = references.flatMap { given[$0] ?? [] }.filter { $0.kind == value.kind }
    if !fitting.isEmpty { return fitting[variant % fitting.count] }
    guard depth < Self.depthLimit else { return value }
    if value.isArray, schema.describesElements {
      let element = schema.element
      return .array(
        value.elements.enumerated().map { applied(to: $0.element, by: element, variant + $0.offset, depth + 1) })
    }
    guard value.isObject else { return value }
    return .object(
      value.distinctMembers.map { member in
        let part = schema.property(member.name) ?? (schema.describesOthers ? schema.other : nil)
        return (member.name, part.map { applied(to: member.value, by: $0, variant, depth + 1) } ?? member.value)
      })
  }

  func knowsPath(of operation: Operation) -> Bool {
    let bare = RequestDraft(method: operation.method)
    let filled = applied(to: bare, of: operation, 0)
    return operation.parameters.filter { $0.location == .path }.allSatisfy { parameter in
      filled.index(of: parameter) != nil || !parameter.examples.isEmpty
    }
  }

  private func given(for parameter: Parameter, in operation: Operation) -> [JSON] {
    let schema = (parameter.schema ?? parameter.content?.schema)?.reference?.string
    return given["\(operation.id).\(parameter.name)"] ?? given[parameter.name] ?? schema.flatMap { given[$0] } ?? []
  }

  private func values(of parameter: Parameter, in operation: Operation, collection: String?) -> [JSON] {
    let given = given(for: parameter, in: operation)
    guard given.isEmpty else { return given }
    let key = "\(operation.id).\(parameter.name)"
    if let chosen = chosen[key], !chosen.isEmpty { return chosen }
    // What the run did not create belongs to others. It may change where it can be read before, to be restored.
    if parameter.location == .path, !SafeMethods.contains(operation.method) {
      var created: [JSON] = []
      for creation in [collection, key].compactMap(\.self).flatMap({ creations[$0] ?? [] }) {
        guard let id = creation.identifier(for: parameter.name)?.value,
          !created.contains(where: { $0.plainText.utf8Equals(id.plainText) })
        else { continue }
        created.append(id)
      }
      guard created.isEmpty else { return created }
      let isLast = operation.template.names.last?.elementsEqual(parameter.name.utf8) == true
      // The account of the run is among those that it lists.
      if OperationDanger.isOfAccess(operation) { return [] }
      if isLast, operation.method == "DELETE" || (operation.method != "POST" && operation.pathNode["get"] == nil) {
        return []
      }
    }
    let linked = linked[key] ?? []
    let listed = collection.flatMap { items[$0] } ?? []
    let ids =
      linked + listed.compactMap { ItemIdentifier.value(in: $0, for: parameter.name) }.filter { !linked.contains($0) }
    guard ids.isEmpty else { return ids }
    let name = ItemIdentifier.plain(parameter.name)
    if ItemIdentifier.isSpecific(name), let known = named[name] { return known }
    guard parameter.location == .path, parameter.examples.isEmpty,
      let place = Self.places(in: operation.path).first(where: { $0.name.utf8Equals(parameter.name) })
    else { return [] }
    return examples["\(place.prefix) \(place.name)"] ?? []
  }

  /// Whether a body or a query names by an id something that was neither created nor listed.
  func namesUnknown(_ draft: RequestDraft, _ operation: Operation) -> Bool { !unknownReferences(in: draft).isEmpty }

  /// The members of a body, as tokens of a pointer, that name by an id something that was neither created nor listed.
  func unknownReferences(in draft: RequestDraft) -> [[String]] {
    guard case .value(let body, _)? = draft.body else { return [] }
    var found: [[String]] = []
    var pending: [(value: JSON, path: [String])] = [(body, [])]
    var seen = 0
    while let (value, path) = pending.popLast(), seen < Self.memberLimit {
      for member in value.distinctMembers {
        seen += 1
        let name = ItemIdentifier.plain(member.name)
        let single = name.hasSuffix("s") ? String(name.dropLast()) : name
        let isReference =
          ItemIdentifier.isSpecific(single) || collections[single] != nil
          || collections[ItemIdentifier.plain(ItemIdentifier.singular(member.name))] != nil
        let values = member.value.isArray ? Array(member.value.elements) : [member.value]
        if isReference, !values.isEmpty, values.allSatisfy(ItemIdentifier.isScalar) {
          let known =
            (named[single] ?? []) + (given[member.name] ?? [])
            + (collections[single].flatMap { items[$0] } ?? []).compactMap { ItemIdentifier.value(in: $0, for: single) }
          if !values.allSatisfy({ value in known.contains { $0.plainText.utf8Equals(value.plainText) } }) {
            found.append(path + [member.name])
          }
        } else if member.value.isObject, path.count < Self.depthLimit {
          pending.append((member.value, path + [member.name]))
        }
      }
    }
    return found
  }

  /// Whether the run created what a path names last.
  func created(lastOf draft: RequestDraft, _ operation: Operation) -> Bool {
    guard let (argument, collection) = draft.pathValues(of: operation).last else { return false }
    let name = argument.parameter.name
    return [collection, "\(operation.id).\(name)"].compactMap(\.self).flatMap { creations[$0] ?? [] }.contains {
      $0.identifier(for: name)?.value.plainText.utf8Equals(argument.value.plainText) == true
    }
  }

  /// A body whose members have known values where their names say so.
  private func applied(to body: JSON, of operation: Operation, _ variant: Int, _ depth: Int) -> JSON {
    guard depth < Self.depthLimit, !named.isEmpty || !given.isEmpty || !items.isEmpty else { return body }
    if body.isArray { return .array(body.elements.map { applied(to: $0, of: operation, variant, depth + 1) }) }
    guard body.isObject else { return body }
    return .object(
      body.distinctMembers.map { member in
        guard ItemIdentifier.isScalar(member.value) else {
          if let ids = listed(member.name, like: member.value, variant) { return (member.name, ids) }
          let own = applied(to: member.value, of: operation, variant, depth + 1)
          return (member.name, listed(member.name, around: own, operation, variant) ?? own)
        }
        let name = ItemIdentifier.plain(member.name)
        let values = given[member.name] ?? (ItemIdentifier.isSpecific(name) ? named[name] : nil) ?? []
        let fitting = values.filter { $0.kind == member.value.kind }
        return (member.name, fitting.isEmpty ? member.value : fitting[variant % fitting.count])
      })
  }

  /// Ids of a list that is named after a collection: `"roles": [1]`.
  private func listed(_ name: String, like value: JSON, _ variant: Int) -> JSON? {
    let elements = Array(value.elements)
    guard let first = elements.first, elements.allSatisfy(ItemIdentifier.isScalar) else { return nil }
    let single = ItemIdentifier.plain(ItemIdentifier.singular(name))
    let ids = (collections[single].flatMap { items[$0] } ?? []).compactMap { ItemIdentifier.value(in: $0, for: "id") }
      .filter { $0.kind == first.kind }
    return ids.isEmpty ? nil : [ids[variant % ids.count]]
  }

  /// Fills an object that is named after another collection with the values of one of its items: `"kernel": {"id": 7}`.
  private func listed(_ name: String, around value: JSON, _ operation: Operation, _ variant: Int) -> JSON? {
    guard let id = ItemIdentifier.find(in: value, for: "id")?.member,
      let collection = collections[ItemIdentifier.plain(name)], !(operation.path + "/").hasPrefix(collection + "/")
    else { return nil }
    let items = (items[collection] ?? []).filter { $0[id].map(ItemIdentifier.isScalar) == true }
    guard !items.isEmpty else { return nil }
    let item = items[variant % items.count]
    return .object(
      value.distinctMembers.map { member in
        let known = item[member.name].flatMap { ItemIdentifier.isScalar($0) && $0.kind == member.value.kind ? $0 : nil }
        return (member.name, known ?? member.value)
      })
  }

  /// The parameters in the path of a draft whose values the server knows: another value names another thing, or nothing.
  func known(inPathOf draft: RequestDraft, _ operation: Operation) -> Set<String> {
    let known = draft.pathValues(of: operation).filter { argument, collection in
      let parameter = argument.parameter
      let listed = collection.flatMap { items[$0] } ?? []
      let ids =
        values(of: parameter, in: operation, collection: collection)
        + listed.compactMap { ItemIdentifier.value(in: $0, for: parameter.name) }
      return ids.contains { $0.plainText.utf8Equals(argument.value.plainText) }
    }
    return Set(known.map(\.argument.parameter.name))
  }

  /// Whether the server gave every value in the path of a draft. What the run created under a name of its own may be of a
  /// kind that the operation refuses.
  func gave(wholePathOf draft: RequestDraft, _ operation: Operation) -> Bool {
    known(inPathOf: draft, operation).count == draft.pathValues(of: operation).count
      && !namesOwn(inPathOf: draft, operation)
  }

  /// Whether the path of a draft has a name that the run made up and a PUT created.
  func namesOwn(inPathOf draft: RequestDraft, _ operation: Operation) -> Bool {
    draft.pathValues(of: operation).contains { argument, collection in
      (collection.flatMap { creations[$0] } ?? []).contains { creation in
        creation.call.draft.method == "PUT"
          && creation.identifier(for: argument.parameter.name)?.value.plainText
            .utf8Equals(argument.value.plainText) == true
      }
    }
  }

  /// What a request names of what the run created.
  var createdReferences: CreatedReferences { CreatedReferences(creations) }
}
