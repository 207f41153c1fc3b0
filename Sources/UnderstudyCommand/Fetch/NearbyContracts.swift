import Understudy

/// The contracts in the working folder, for users who named none.
enum NearbyContracts {
  /// What to type to use them; `nil` where there are none.
  static func help() -> String? {
    let found = paths()
    guard let first = found.first else { return nil }
    let words = CommandLine.arguments.dropFirst().prefix { !$0.hasPrefix("-") }
    let command = "understudy \((words.isEmpty ? ["serve"] : words).joined(separator: " "))"
    let others = found.count > 1 ? " (also here: \(found.dropFirst().prefix(4).joined(separator: ", ")))" : ""
    return "\(first) is a contract: `\(command) \(ShellQuoting().word(first))`\(others); "
      + "`understudy init \(ShellQuoting().word(first))` starts a project"
  }

  private static let folders = ["", "specs", "spec", "api", "openapi", "docs"]
  /// Files that are opened, and bytes that are read of each.
  private static let limit = 200
  private static let largest = 16 << 20

  /// Contracts in the order of their likely importance.
  static func paths() -> [String] {
    let files = folders.flatMap { folder in
      ((try? FileSystem.list(folder.isEmpty ? "." : folder)) ?? []).filter { !$0.isFolder && isCandidate($0.name) }
        .map { Path.join(folder, $0.name) }
    }
    return files.prefix(limit).filter(isContract)
  }

  private static func isCandidate(_ name: String) -> Bool {
    !name.hasPrefix(".") && ["yaml", "yml", "json"].contains(Path.fileExtension(of: name))
  }

  /// Whether the document says which version of OpenAPI or Swagger it is written in.
  private static func isContract(_ path: String) -> Bool {
    guard let source = try? FileSystem.read(path, maximumBytes: largest, onlyRegular: true) else { return false }
    let text = source.bytes.prefix(1 << 16)
    // Almost every other file lacks these words at its start, and need not be parsed.
    guard text.firstRange(of: Array("openapi".utf8)) != nil || text.firstRange(of: Array("swagger".utf8)) != nil,
      let root = try? TextDocument.read(source).root
    else { return false }
    return ContractDocument.isContract(root)
  }
}

/// What tells a contract from other documents.
enum ContractDocument {
  static func isContract(_ root: JSON) -> Bool {
    root.isObject && (root["openapi"] != nil || root["swagger"] != nil)
  }
}
