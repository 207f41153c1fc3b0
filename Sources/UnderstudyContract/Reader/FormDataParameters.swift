/// Form fields of Swagger 2.0 as a body with an object schema.
enum FormDataParameters {
  private static let multipart = "multipart/form-data"
  private static let urlEncoded = "application/x-www-form-urlencoded"
  /// Members of a Parameter Object that are not copied to the schema; `type` and `format` are written anew.
  private static let parameterKeys = [
    "name", "in", "required", "collectionFormat", "allowEmptyValue", "type", "format",
  ]

  static func requestBody(_ fields: [Swagger2Reader.Input], consumes: [String]) -> RequestBody? {
    guard let first = fields.first else { return nil }
    let hasFile = fields.contains { isFile($0.node) }
    var ranges = consumes.filter { $0.utf8.starts(with: multipart.utf8) || $0.utf8.starts(with: urlEncoded.utf8) }
    // A URL-encoded form cannot hold a file.
    if hasFile { ranges.removeAll { $0.utf8.starts(with: urlEncoded.utf8) } }
    if ranges.isEmpty { ranges = [hasFile ? multipart : urlEncoded] }
    let schema = schema(fields)
    let encodings = fields.filter { $0.node["type"]?.isString("array") == true }.map { field in
      let (style, explode) = CollectionFormat.style(of: field.node, in: .query)
      return Encoding(property: field.name, style: style, explode: explode, node: field.node)
    }
    let content = ranges.map { MediaTypeObject(range: $0, schema: schema, encodings: encodings, node: first.node) }
    return RequestBody(isRequired: fields.contains { isRequired($0.node) }, content: content, node: first.node)
  }

  private static func isFile(_ node: JSON) -> Bool { node["type"]?.isString("file") == true }
  private static func isRequired(_ node: JSON) -> Bool { node["required"]?.bool == true }

  /// A new document; copied values keep their positions in the contract if all fields are in one file.
  private static func schema(_ fields: [Swagger2Reader.Input]) -> JSON {
    let document = fields.first?.node.document
    let isOneFile = fields.allSatisfy { $0.node.document === document }
    var builder = JSONBuilder(withRanges: isOneFile && document?.ranges != nil)
    builder.begin(.object, at: fields.first?.node.range)
    builder.append(key: "type")
    builder.append("object")
    builder.append(key: "required")
    builder.begin(.array)
    for field in fields where isRequired(field.node) {
      builder.append(string: field.name.utf8, at: field.node["required"]?.range)
    }
    builder.end()
    builder.append(key: "properties")
    builder.begin(.object, at: fields.first?.node.range)
    for field in fields {
      builder.append(key: field.name.utf8, at: field.node["name"]?.range)
      append(field.node, to: &builder)
    }
    builder.end()
    builder.end()
    return builder.finish(source: isOneFile ? document?.source : nil).root
  }

  private static func append(_ node: JSON, to builder: inout JSONBuilder) {
    builder.begin(.object, at: node.range)
    for member in node.distinctMembers where !parameterKeys.contains(member.name) {
      builder.append(key: member.key.bytes, at: member.key.range)
      builder.append(member.value)
    }
    for (key, value) in [("type", node["type"]), ("format", node["format"])] {
      guard let value else { continue }
      builder.append(key: key)
      // `type: file` is `type: string, format: binary` in 3.0.
      if isFile(node) { builder.append(key == "type" ? "string" : "binary") } else { builder.append(value) }
    }
    if node["allowEmptyValue"]?.bool == false, node["minLength"] == nil, node["type"]?.isString("string") == true {
      builder.append(key: "minLength")
      builder.append(number: "1".utf8)
    }
    if isFile(node), node["format"] == nil {
      builder.append(key: "format")
      builder.append("binary")
    }
    builder.end()
  }
}
