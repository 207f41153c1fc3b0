import UnderstudyVerification

/// The folders outside of the project whose files contracts and fixtures may name.
///
/// Folders of the flag, the environment variable and the configuration file add up.
enum AllowedFiles {
  static let help =
    "Also let contracts and fixtures name the files below this folder, outside of the project; may be repeated."

  /// The folders of the command line and the environment, where a colon separates them. Throws if one does not exist.
  static func access(flags: [String]) throws -> FileAccess {
    var access = FileAccess.none
    let setting = SettingKeys.all.allowFiles
    let named = (setting.environment ?? "").split(separator: ":").map(String.init)
    let (flag, variable) = (setting.names.flag ?? "", setting.names.variable ?? "")
    for (paths, source) in [(flags, "--\(flag) "), (named, "\(variable)=")] {
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

  /// The folders of the config file.
  static func access(_ node: JSON, _ reader: SettingsReader) -> FileAccess {
    var access = FileAccess.none
    for element in node.isArray ? Array(node.elements) : [node] {
      guard let path = reader.text(element).map(reader.path) else { continue }
      if FileSystem.isFolder(path) {
        access.allow(path)
      } else {
        reader.reject("there is no folder `\(path)`", element)
      }
    }
    return access
  }
}
