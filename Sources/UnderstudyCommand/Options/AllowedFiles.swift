import UnderstudyVerification

/// The folders outside of the project whose files contracts and fixtures may name.
///
/// Folders of the flag, the environment variable and the configuration file add up.
enum AllowedFiles {
  static let key = "allow-files"
  private static let variable = "UNDERSTUDY_ALLOW_FILES"

  /// The folders of the command line and the environment, where a colon separates them. Throws if one does not exist.
  static func access(flags: [String]) throws -> FileAccess {
    var access = FileAccess.none
    let named = (Environment[variable] ?? "").split(separator: ":").map(String.init)
    for (paths, source) in [(flags, "--\(key) "), (named, "\(variable)=")] {
      for path in paths {
        guard FileSystem.isFolder(path) else {
          throw CommandFailure(
            .usage, "`\(source)\(path)` \(FileSystem.exists(path) ? "is a file" : "does not exist"): expected a folder")
        }
        access.allow(path)
      }
    }
    return access
  }

  /// Adds the folders of the config file.
  static func read(_ node: JSON?, into access: inout FileAccess, _ reader: SettingsReader) {
    guard let node else { return }
    for element in node.isArray ? Array(node.elements) : [node] {
      guard let path = reader.text(element).map(reader.path) else { continue }
      if FileSystem.isFolder(path) {
        access.allow(path)
      } else {
        reader.reject("there is no folder `\(path)`", element)
      }
    }
  }
}
