/// The paths of a collection in a contract: a list, a creation, and a read of one item.
public struct CollectionContract {
  /// The path segment, in the plural: `pets`.
  public let name: String
  /// The name of the item's schema: `Pet`. The operations are `findPets`, `addPet` and `readPet`.
  public let schema: String
  /// The example of the list, in YAML flow style.
  public var example: String?
  /// Lines of the list operation, such as its parameters.
  public var parameters: [String] = []
  /// Lines of the list's response, such as its header fields.
  public var headers: [String] = []

  /// Creates a collection whose operations have no further settings by default.
  public init(
    _ name: String, of schema: String, example: String? = nil, parameters: [String] = [], headers: [String] = []
  ) {
    self.name = name
    self.schema = schema
    self.example = example
    self.parameters = parameters
    self.headers = headers
  }

  /// A contract with collections and the schemas of their items.
  public static func text(_ collections: CollectionContract..., schemas: [String]) -> String {
    (["openapi: 3.1.0", #"info: {title: Collections, version: "1"}"#, "paths:"] + collections.flatMap(\.paths)
      + ["components:", "  schemas:"] + schemas.map { "    " + $0 }).joined(separator: "\n") + "\n"
  }

  private var paths: [String] {
    let item = ##"{$ref: "#/components/schemas/\##(schema)"}"##
    let content = "content: {application/json: {schema: \(item)}}"
    return ["  /\(name):", "    get:", "      operationId: find\(schema)s"]
      + parameters.map { "      " + $0 }
      + ["      responses:", #"        "200":"#, "          description: ok"]
      + headers.map { "          " + $0 }
      + ["          content:", "            application/json:", "              schema: {type: array, items: \(item)}"]
      + (example.map { ["              example: \($0)"] } ?? [])
      + [
        "    post:", "      operationId: add\(schema)", "      requestBody: {\(content)}", "      responses:",
        #"        "201": {description: ok, \#(content)}"#, "  /\(name)/{id}:", "    get:",
        "      operationId: read\(schema)",
        "      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]", "      responses:",
        #"        "200": {description: ok, \#(content)}"#, #"        "404": {description: gone}"#,
      ]
  }
}
