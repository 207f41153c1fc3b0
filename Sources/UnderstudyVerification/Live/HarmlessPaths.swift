/// Keeps what the run writes within the data of a server: paths of files that the run makes up are relative.
enum HarmlessPaths {
  private static let naming: Set<String> = [
    "path", "file", "filename", "filepath", "dir", "directory", "folder", "dest", "destination", "location", "root",
    "output", "cwd", "home", "source", "target",
  ]
  private static let depthLimit = 6

  static func applied(to value: JSON, _ depth: Int = 0) -> JSON {
    guard depth < depthLimit else { return value }
    if value.isArray { return .array(value.elements.map { applied(to: $0, depth + 1) }) }
    guard value.isObject else { return value }
    return .object(
      value.distinctMembers.map { ($0.name, applied(to: $0.value, named: $0.name, depth)) })
  }

  /// The value of a member or a parameter.
  static func applied(to value: JSON, named name: String, _ depth: Int = 0) -> JSON {
    guard value.isString else { return applied(to: value, depth + 1) }
    let isPath = SecretNames.words(of: name).last.map(naming.contains) ?? false
    return isPath ? .string(relative(value.text)) : value
  }

  /// A path without its root and without steps to outer folders; a URL as it is.
  private static func relative(_ text: String) -> String {
    guard !text.contains("://") else { return text }
    let parts = text.split(separator: "/").filter { $0 != ".." && $0 != "~" }
    let isRooted = text.utf8.first == UInt8(ascii: "/") || text.utf8.first == UInt8(ascii: "~")
    return isRooted || text.contains("..") ? parts.joined(separator: "/") : text
  }
}
