import Foundation

/// Real descriptions and official test suites, which are not part of the project; a test that needs them is skipped without.
enum Corpora {
  /// The folder named by `UNDERSTUDY_CORPORA`, else the one beside the package, if there is one.
  static let root: String? = {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let beside = package.deletingLastPathComponent().appendingPathComponent("shared/corpora").path
    let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CORPORA"] ?? beside
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()

  static var isPresent: Bool { root != nil }

  static func path(_ relative: String) -> String { (root ?? "") + "/" + relative }
}
