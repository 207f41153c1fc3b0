import Foundation

/// Descriptions and suites that others wrote, where they are at hand.
enum Corpora {
  /// The folder of `UNDERSTUDY_CORPORA`, else `../shared/corpora` beside the package.
  static let root: String? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["UNDERSTUDY_CORPORA"] ?? package.path + "/../shared/corpora"
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue ? path : nil
  }()

  static var isPresent: Bool { root != nil }

  static func path(_ relative: String) -> String { "\(root ?? "")/\(relative)" }
}
