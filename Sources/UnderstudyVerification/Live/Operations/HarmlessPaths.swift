/// Keeps what the run writes within the data of a server: paths of files that the run makes up are relative.
enum HarmlessPaths {
  private static let naming: Set<String> = [
    "path", "file", "filename", "filepath", "dir", "directory", "folder", "dest", "destination", "location", "root",
    "output", "cwd", "home", "source", "target",
  ]
  private static let depthLimit = 6

  static func applied(to value: JSON, by schema: ResolvedSchema, _ depth: Int = 0) -> JSON {
    guard depth < depthLimit else { return value }
    if value.isArray {
      let element = schema.element
      return .array(value.elements.map { applied(to: $0, by: element, depth + 1) })
    }
    guard value.isObject else { return value }
    return .object(
      value.distinctMembers.map { member in
        let part = schema.property(member.name) ?? schema.other
        return (member.name, applied(to: member.value, named: member.name, by: part, depth))
      })
  }

  /// The value of a member or a parameter. One whose pattern wants a root keeps it.
  static func applied(to value: JSON, named name: String, by schema: ResolvedSchema, _ depth: Int = 0) -> JSON {
    guard value.isString else { return applied(to: value, by: schema, depth + 1) }
    let isPath = SecretNames.words(of: name).last.map(naming.contains) ?? false
    guard isPath else { return value }
    let text = relative(value.text)
    return keepsPatterns(text, schema) ? .string(text) : value
  }

  private static func keepsPatterns(_ text: String, _ schema: ResolvedSchema) -> Bool {
    schema.parts.compactMap { $0[.pattern]?.string }.allSatisfy { pattern in
      (try? Pattern(ecma: pattern)).map { $0.matches(text) == .yes } ?? true
    }
  }

  /// A path without its root and without steps to outer folders; a URL as it is.
  private static func relative(_ text: String) -> String {
    guard !text.contains("://") else { return text }
    let parts = text.split(separator: "/").filter { $0 != ".." && $0 != "~" }
    let isRooted = text.utf8.first == UInt8(ascii: "/") || text.utf8.first == UInt8(ascii: "~")
    return isRooted || text.contains("..") ? parts.joined(separator: "/") : text
  }
}
