<<<<<<< HEAD
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Real descriptions and official test suites, which are not part of the project; a test that needs them is skipped without.
enum Corpora {
  /// The folder named by `UNDERSTUDY_CORPORA`, else the one beside the package, if there is one.
  static let root: String? = {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let beside = package.deletingLastPathComponent().appendingPathComponent("shared/corpora").path
    let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CORPORA"] ?? beside
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
=======
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
>>>>>>> wt-openapi
  }()

  static var isPresent: Bool { root != nil }

<<<<<<< HEAD
  static func path(_ relative: String) -> String { (root ?? "") + "/" + relative }
=======
  static func path(_ relative: String) -> String { "\(root ?? "")/\(relative)" }
>>>>>>> wt-openapi
}
