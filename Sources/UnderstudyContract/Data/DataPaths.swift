/// The path items of collections and singular objects, and the descriptions of their operations.
struct DataPaths {
  let collections: [DataCollection]

  /// The size of a page whose request names none, as in json-server.
  private static let pageSize = 10

  /// The path items of a collection by their paths.
  func items(of collection: DataCollection) -> [(String, JSON)] {
    collection.isSingle ? [single(collection)] : [list(collection), item(collection)] + nested(collection)
  }

  /// `x-understudy-resource`: the operations of each collection.
  var descriptions: JSON {
    .object(collections.map { ($0.name, $0.isSingle ? Self.description(ofSingle: $0) : description(of: $0)) })
  }

  private static func description(ofSingle collection: DataCollection) -> JSON {
    .object(
      [("single", true)]
        + [("read", "read"), ("replace", "replace"), ("update", "update")].map { key, verb in
          (key, .string(id(verb, collection)))
        })
  }

  private func description(of collection: DataCollection) -> JSON {
    let nested = collection.references.map { reference in
      (reference.member, "\(Self.title(reference))\(collection.title)")
    }
    let size: (String, JSON) = ("page-size", .integer(Self.pageSize))
    let lists =
      [JSON.object([("operation", .string(Self.id("list", collection))), size])]
      + nested.map { member, title in
        .object([
          ("operation", .string("list\(title)")), ("where", .object([(member, .string("path.\(member)"))])), size,
        ])
      }
    let creates =
      [JSON.string(Self.id("create", collection))]
      + nested.map { member, title in
        .object([("operation", .string("create\(title)")), ("set", .object([(member, .string("path.\(member)"))]))])
      }
    return .object(
      present: [
        ("id", .string(collection.idMember ?? "id")),
        (
          "references",
          collection.references.isEmpty
            ? nil : .object(collection.references.map { ($0.member, .string($0.collection)) })
        ),
        ("list", lists.count == 1 ? lists[0] : .array(lists)),
        ("create", creates.count == 1 ? creates[0] : .array(creates)),
      ] + ["read", "replace", "update", "delete"].map { ($0, .string(Self.id($0, collection))) })
  }

  private static func id(_ verb: String, _ collection: DataCollection) -> String { verb + collection.title }

  /// `Post` of `postId`.
  private static func title(_ reference: (member: String, collection: String)) -> String {
    let stem = DataReference.stem(of: reference.member) ?? reference.member
    return stem.prefix(1).uppercased() + stem.dropFirst()
  }

  // MARK: - Path items

  private func filters(_ collection: DataCollection) -> DataFilters {
    let parents = collection.references.compactMap { DataReference.stem(of: $0.member) }
    let children = collections.filter { $0.references.contains { $0.collection == collection.name } }.map(\.name)
    return DataFilters(collection: collection, embedded: (children + parents).unique(), expanded: parents.unique())
  }

  private func list(_ collection: DataCollection) -> (String, JSON) {
    (
      "/\(collection.name)",
      [
        "get": list(collection, id: Self.id("list", collection), example: collection.name),
        "post": create(collection, id: Self.id("create", collection)),
      ]
    )
  }

  private func list(_ collection: DataCollection, id: String, example: String?) -> JSON {
    let items = Self.json(
      ["type": "array", "items": Self.schema(collection)],
      example: example)
    let headers: JSON = [
      "X-Total-Count": [
        "description": "The number of all items.", "schema": ["type": "integer"],
        "example": .integer(collection.items.count),
      ],
      "Link": ["description": "The other pages.", "schema": ["type": "string"]],
    ]
    let found: JSON = [
      "description": "Items.", "headers": headers, "content": items,
    ]
    let responses: [(String, JSON)] =
      [("200", found)] + (example == nil ? [("404", Self.refusal("Not found."))] : [])
    return [
      "operationId": .string(id), "parameters": .array(filters(collection).list), "responses": .object(responses),
    ]
  }

  private func create(_ collection: DataCollection, id: String, isNested: Bool = false) -> JSON {
    let location: JSON = ["description": "The path of the item.", "schema": ["type": "string"]]
    return [
      "operationId": .string(id), "requestBody": Self.body(Self.schema(collection)),
      "responses": .object(
        ("201", Self.found("Created.", Self.schema(collection), headers: ["Location": location])),
        ("404", isNested ? Self.refusal("Not found.") : nil),
        ("409", Self.refusal("Conflict.", error: "The id is taken, or the collection is full."))),
    ]
  }

  private func item(_ collection: DataCollection) -> (String, JSON) {
    let schema = Self.schema(collection)
    func operation(
      _ verb: String, parameters: [JSON] = [], body: JSON? = nil, conflict: JSON? = nil, example: String? = nil
    ) -> JSON {
      .object(
        ("operationId", .string(Self.id(verb, collection))),
        ("parameters", parameters.isEmpty ? nil : .array(parameters)), ("requestBody", body),
        (
          "responses",
          .object(
            ("200", Self.found("Item.", schema, example: example)), ("404", Self.refusal("Not found.")),
            ("409", conflict))
        ))
    }
    return (
      "/\(collection.name)/{id}",
      [
        "parameters": [Self.path("id", of: collection)],
        "get": operation(
          "read", parameters: filters(collection).relations,
          example: collection.items.isEmpty ? nil : "\(collection.name).first"),
        "put": operation("replace", body: Self.body(schema)),
        "patch": operation("update", body: Self.patch(schema), conflict: Self.patchConflict),
        "delete": operation("delete"),
      ]
    )
  }

  /// The items that refer to an item: `/posts/{postId}/comments`.
  private func nested(_ collection: DataCollection) -> [(String, JSON)] {
    collection.references.map { reference in
      let title = "\(Self.title(reference))\(collection.title)"
      return (
        "/\(reference.collection)/{\(reference.member)}/\(collection.name)",
        [
          "parameters": [Self.path(reference.member, of: collections.first { $0.name == reference.collection })],
          "get": list(collection, id: "list\(title)", example: nil),
          "post": create(collection, id: "create\(title)", isNested: true),
        ]
      )
    }
  }

  private func single(_ collection: DataCollection) -> (String, JSON) {
    let schema = Self.schema(collection)
    func operation(_ verb: String, body: JSON? = nil, conflict: JSON? = nil) -> JSON {
      .object(
        ("operationId", .string(Self.id(verb, collection))), ("requestBody", body),
        (
          "responses",
          .object(
            ("200", Self.found("Object.", schema, example: "\(collection.name).first")), ("409", conflict))
        ))
    }
    return (
      "/\(collection.name)",
      [
        "get": operation("read"), "put": operation("replace", body: Self.body(schema)),
        "patch": operation("update", body: Self.patch(schema), conflict: Self.patchConflict),
      ]
    )
  }

  // MARK: - Parts

  private static var patchConflict: JSON {
    refusal("Conflict.", error: "The patch does not fit the item, or a test of it failed.")
  }

  static func schema(_ collection: DataCollection) -> JSON {
    ["$ref": .string("#/components/schemas/\(JSONPointer.escape(collection.name))")]
  }

  /// The path parameter with the id of an item of a collection, whose first id is the example.
  private static func path(_ name: String, of collection: DataCollection?) -> JSON {
    let id = collection?.firstID.map { JSON.string($0.int.map { String($0) } ?? $0.text) }
    return .object(
      ("name", .string(name)), ("in", "path"), ("required", true), ("schema", ["type": "string"]), ("example", id))
  }

  private static func body(_ schema: JSON) -> JSON {
    ["required": true, "content": ["application/json": ["schema": schema]]]
  }

  /// A change as JSON, as a merge patch or as a JSON Patch.
  private static func patch(_ schema: JSON) -> JSON {
    [
      "required": true,
      "content": [
        "application/json": ["schema": schema],
        "application/merge-patch+json": ["schema": ["type": "object"]],
        "application/json-patch+json": ["schema": ["type": "array", "items": ["type": "object"]]],
      ],
    ]
  }

  private static func found(
    _ description: String, _ schema: JSON, headers: JSON? = nil, example: String? = nil
  ) -> JSON {
    .object(("description", .string(description)), ("headers", headers), ("content", json(schema, example: example)))
  }

  private static func json(_ schema: JSON, example: String?) -> JSON {
    let name = example.map { JSONPointer.escape($0) }
    return [
      "application/json": .object(
        ("schema", schema),
        ("examples", name.map { ["data": ["$ref": .string("#/components/examples/\($0)")]] }))
    ]
  }

  private static func refusal(_ description: String, error: String? = nil) -> JSON {
    [
      "description": .string(description),
      "content": [
        "application/json": ["schema": ["type": "object"], "example": ["error": .string(error ?? description)]]
      ],
    ]
  }
}
