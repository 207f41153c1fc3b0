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
      // The steps of a tutorial are pages. UnderstudyClient is no part of the program: it is for tests on Apple's systems,
      // where there are no essentials, and needs URLSession.
      path.hasSuffix(".swift") && !path.contains(".docc/") && !path.hasPrefix("UnderstudyClient/")
    }
    #expect(!files.isEmpty)
    for file in files {
      var text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
      for fallback in Self.fallbacks { text = text.replacing(fallback, with: "") }
      #expect(!text.contains(/\bimport +(?:\w+ +)?Foundation(?!Essentials)/), "\(file)")
    }
  }

  @Test func `UnderstudyClient imports only Foundation, JSON values and the libraries of tests`() throws {
    let root = Project.path("Sources/UnderstudyClient")
    let allowed: Set = ["Foundation", "FoundationNetworking", "Testing", "XCTest"]
    for file in try FileManager.default.subpathsOfDirectory(atPath: root) where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
      let imports = text.matches(of: /(?m)^(?:\w+ +)?import +(\w+)/).map { String($0.1) }
      #expect(allowed.isSuperset(of: imports), "\(file): \(imports)")
    }
    #expect(
      try Project.text("Package.swift").contains(
        #".target(name: "UnderstudyClient", dependencies: ["UnderstudyJSON"], swiftSettings: settings)"#))
  }
}
