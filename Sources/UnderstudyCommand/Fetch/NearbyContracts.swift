import UnderstudyVerification

/// Finds contracts in the working folder, for users who named none.
enum NearbyContracts {
  /// The command that uses them; `nil` if there are none.
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
  /// The maximum number and size of files that are read.
  private static let limit = 200
  private static let largest = 16 << 20

  /// The paths of contracts, the working folder first.
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

  /// Whether the file has the version of OpenAPI or Swagger.
  private static func isContract(_ path: String) -> Bool {
    guard let source = try? FileSystem.read(path, maximumBytes: largest) else { return false }
    let text = source.bytes.prefix(1 << 16)
    // Most other files do not have these words near the start, and are not parsed.
    guard text.firstRange(of: Array("openapi".utf8)) != nil || text.firstRange(of: Array("swagger".utf8)) != nil,
      let root = try? TextDocument.read(source).root
    else { return false }
    return ContractDocument.isContract(root)
  }
}

/// Distinguishes contracts from other documents.
enum ContractDocument {
  static func isContract(_ root: JSON) -> Bool {
    root.isObject && (root["openapi"] != nil || root["swagger"] != nil)
  }
}
