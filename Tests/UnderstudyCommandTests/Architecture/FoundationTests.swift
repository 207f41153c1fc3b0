import Foundation
import Testing
import UnderstudyTestSupport

/// The program needs the essentials of Foundation only: the whole of it adds the tables of ICU to the binary.
struct FoundationTests {
  /// Where a platform has no essentials, as macOS.
  private static let fallbacks = ["", "public "].map {
    "#if canImport(FoundationEssentials)\n\($0)import FoundationEssentials\n#else\n\($0)import Foundation\n#endif\n"
  }

  @Test func `no source imports the whole of Foundation where its essentials exist`() throws {
    let root = Project.path("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).sorted().filter { path in
      // The steps of a tutorial are pages.
      path.hasSuffix(".swift") && !path.contains(".docc/")
    }
    #expect(!files.isEmpty)
    for file in files {
      var text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
      for fallback in Self.fallbacks { text = text.replacing(fallback, with: "") }
      #expect(!text.contains(/\bimport +(?:\w+ +)?Foundation(?!Essentials)/), "\(file)")
    }
  }
}
