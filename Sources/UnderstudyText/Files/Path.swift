/// File paths as text, with forward slashes.
package enum Path {
  package static func join(_ folder: String, _ name: String) -> String {
    name.hasPrefix("/") || folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The path before the last component; `""` without a slash.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The extension in lower case without its dot; `""` if there is none.
  package static func fileExtension(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
    return name[name.utf8.index(after: dot)...].lowercased()
  }

  /// The name without its last extension.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
