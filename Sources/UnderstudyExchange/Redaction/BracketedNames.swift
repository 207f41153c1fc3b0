/// Names of forms and queries that spell a location: `user[pins][0]`.
extension ContractSecrets {
  /// The name of a member and the names or positions in its brackets: `user[pins][0]`.
  static func tokens(of name: String) -> [String] {
    guard let start = name.firstIndex(of: "["), start > name.startIndex else { return [name] }
    let inner = name[name.index(after: start)...].replacing("][", with: "\u{0}").replacing("]", with: "")
    return [String(name[..<start])] + inner.split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether the value at some names and positions below a schema is a secret that the schema does not list.
  static func isSecret(
    _ tokens: ArraySlice<String>, in schema: ResolvedSchema, _ value: ArraySlice<UInt8>?
  ) -> Bool {
    var (schema, isMarked) = (schema, isSecret(schema))
    for token in tokens {
      schema = inner(token, of: schema).schema
      isMarked = isMarked || isSecret(schema)
    }
    if isMarked || isSecret(schema.element) {
      return ![schema, schema.element].contains { schema in value.map { lists(schema, $0) } ?? false }
    }
    // A list of names and values: `user=pin,7`. JSON is searched by its own names.
    guard let value, let first = value.first, !"{[\"".utf8.contains(first) else { return false }
    return schema.types.isDisjoint(with: .string) && hasMarks(below: schema)
  }

  /// The schema of a member or an element, and whether the token is a position.
  private static func inner(
    _ token: String, of schema: ResolvedSchema
  ) -> (schema: ResolvedSchema, isPosition: Bool) {
    let position = schema.property(token) == nil && schema.describesArray ? token.isEmpty ? 0 : Int(token) : nil
    return (position.map { element($0, of: schema) } ?? member(token, of: schema), position != nil)
  }

  /// The positions of the secret names among the names that lead to a value.
  static func secretNames(in tokens: [String], of schema: ResolvedSchema) -> [Int] {
    var schema = schema
    return tokens.indices.filter { index in
      let next = inner(tokens[index], of: schema)
      defer { schema = next.schema }
      return !next.isPosition && isSecret(name: tokens[index], in: schema)
    }
  }
}
