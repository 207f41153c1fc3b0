/// Finds collections in paths: `POST /pets` with `/pets/{petId}`, or `PUT /pets/{petId}`, with operations that make and
/// show items with an id.
struct ResourceInference {
  let contract: ResourceContract

  private var operations: [CompiledOperation] { contract.operations }

  func actions() -> [ObjectIdentifier: ResourceAction] {
    var actions: [ObjectIdentifier: ResourceAction] = [:]
    for (template, items) in itemPaths() {
      let owners = operations.filter { Self.segments(of: $0).map(Self.normal) == template.map(Self.normal) }
      guard let collection = collection(template, owners, items) else { continue }
      let idParameter = Self.segments(of: items[0]).last.flatMap(ResourceCollection.parameter)
      for operation in owners {
        let verb: ResourceVerb? =
          switch operation.operation.method {
          case "POST": .create
          case "GET": isList(operation, of: collection) ? .list : nil
          case "PUT": isItem(operation.resourceRequest, of: collection) ? .replace : nil
          default: nil
          }
        if let verb { actions[ObjectIdentifier(operation)] = ResourceAction(verb: verb, collection: collection) }
      }
      for operation in items {
        guard let verb = Self.verb(of: operation) else { continue }
        actions[ObjectIdentifier(operation)] = ResourceAction(
          verb: verb, collection: collection, idParameter: idParameter)
      }
    }
    return actions
  }

  private static func segments(of operation: CompiledOperation) -> [String] {
    operation.operation.path.split(separator: "/").map(String.init)
  }

  /// Paths differ in the names of their parameters.
  private static func normal(_ segment: String) -> String {
    ResourceCollection.parameter(segment) == nil ? segment : "{}"
  }

  private func itemPaths() -> [([String], [CompiledOperation])] {
    var found: [([String], [CompiledOperation])] = []
    for operation in operations {
      let segments = Self.segments(of: operation)
      guard segments.count > 1, let last = segments.last, ResourceCollection.parameter(last) != nil else { continue }
      let template = Array(segments.dropLast())
      let index = found.firstIndex { $0.0.map(Self.normal) == template.map(Self.normal) }
      if let index { found[index].1.append(operation) } else { found.append((template, [operation])) }
    }
    return found
  }

  private static func verb(of operation: CompiledOperation) -> ResourceVerb? {
    switch operation.operation.method {
    case "GET": .read
    case "PUT": .replace
    case "PATCH": .update
    case "DELETE": .delete
    default: nil
    }
  }

  private func collection(
    _ template: [String], _ owners: [CompiledOperation], _ items: [CompiledOperation]
  ) -> ResourceCollection? {
    let schemas = contract.compiled.schemas
    let create = owners.first { $0.operation.method == "POST" } ?? items.first { makes($0) }
    let read = items.first { $0.operation.method == "GET" }
    let list = owners.first { $0.operation.method == "GET" }
    guard let create, read ?? list != nil,
      let parameter = Self.segments(of: items[0]).last.flatMap(ResourceCollection.parameter)
    else { return nil }
    let find: (ResolvedSchema) -> String? = { ResourceIdentity.member(of: $0, parameter: parameter) }
    let shown = list?.resourceResponse.flatMap { ResourceShape.many($0.schema, schemas) }?.item
    let single = [read, create].compactMap { $0?.resourceResponse }.lazy
      .compactMap { ResourceShape.one($0.schema, schemas, id: find) }.first
    guard let item = single?.item ?? shown, let member = find(schemas.resolved(item)) else { return nil }
    let idSchema = schemas.resolved(item).properties.first { $0.name.utf8Equals(member) }?.schema
    let seeds = ResourceSeeds(contract: contract, idMember: member).values(list: list, read: read)
    return ResourceCollection(
      name: template.last { ResourceCollection.parameter($0) == nil } ?? template.joined(separator: "/"),
      segments: template, item: item, idMember: member, idSchema: idSchema, schemas: schemas, seeds: seeds,
      reader: read)
  }

  /// Whether a `PUT` makes an item that does not exist.
  private func makes(_ operation: CompiledOperation) -> Bool {
    operation.operation.method == "PUT" && operation.cells.contains { $0.status == .code(201) }
  }

  private func isList(_ operation: CompiledOperation, of collection: ResourceCollection) -> Bool {
    guard let shape = operation.resourceResponse.flatMap({ ResourceShape.many($0.schema, collection.schemas) }) else {
      return false
    }
    let schema = collection.schemas.resolved(shape.item)
    return collection.idMember.map { schema.property($0) != nil } ?? false
  }

  private func isItem(_ schema: JSON?, of collection: ResourceCollection) -> Bool {
    guard let schema, let idMember = collection.idMember else { return false }
    return collection.schemas.resolved(schema).property(idMember) != nil
  }
}
