import Foundation

/// Real descriptions and official test suites, which are not part of the project; without them their tests are skipped.
package enum Corpora {
  /// The folder named by `UNDERSTUDY_CORPORA`, else the one beside the package.
  package static let root: String? = {
    let beside = URL(filePath: Project.root).deletingLastPathComponent().appending(path: "shared/corpora").path
    let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CORPORA"] ?? beside
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()

  package static var isPresent: Bool { root != nil }

  package static func path(_ relative: String) -> String { (root ?? "") + "/" + relative }
}
