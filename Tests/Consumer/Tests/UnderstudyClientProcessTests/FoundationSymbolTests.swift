import Foundation
import Testing

/// The symbols that UnderstudyClient needs of a system, which iOS 16 must have.
struct FoundationSymbolTests {
  private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").components(separatedBy: ":")
    .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  #if os(Linux)
  /// Elsewhere the compiler checks the availability itself.
  private static let isNeeded = compiler != nil
  #else
  private static let isNeeded = false
  #endif

  @Test(.enabled(if: isNeeded, "the compiler checks it, or there is none"))
  func `every symbol of Foundation that the sources use is listed, and none is newer than iOS 16`() throws {
    let used = try Self.used()
    var listed: Set<String> = []
    for line in try Self.text("Tests/Consumer/foundation-symbols.txt").components(separatedBy: "\n")
    where !line.hasPrefix("#") && !line.isEmpty {
      let parts = line.components(separatedBy: " ")
      listed.insert(parts.dropFirst().joined(separator: " "))
      #expect(try #require(Double(parts[0])) <= 16, "\(line)")
    }
    #expect(used.foundation.subtracting(listed).sorted() == [], "these are not listed with their versions")
    #expect(listed.subtracting(used.foundation).sorted() == [], "these are not used any more")
  }

  @Test(.enabled(if: isNeeded, "the compiler checks it, or there is none"))
  func `the sources use no part of the standard library that iOS 16 lacks`() throws {
    let newer = [
      "DiscardingTaskGroup", "Synchronization.", "InlineArray", "Span",
    ]
    let found = try Self.used().others.filter { symbol in newer.contains { symbol.contains($0) } }
    #expect(found == [])
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: Program.file(path), encoding: .utf8)
  }

  /// The declarations that the compiler finds in expressions.
  private static func used() throws -> (foundation: Set<String>, others: [String]) {
    let root = Program.file("Sources/UnderstudyClient")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
    let dump = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID().uuidString).txt")
    _ = FileManager.default.createFile(atPath: dump.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: dump) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(compiler))
    process.arguments =
      [
        "-dump-ast", "-swift-version", "6", "-module-name", "UnderstudyClient", "-package-name", "understudy",
        "-parse-as-library", "-I",
        Program.file(".build/debug/Modules"),
      ]
      + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "InferIsolatedConformances"].flatMap {
        ["-enable-upcoming-feature", $0]
      } + files.map { "\(root)/\($0)" }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: dump)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    var foundation: Set<String> = []
    var others: Set<String> = []
    let names = try String(contentsOf: dump, encoding: .utf8).components(separatedBy: " decl=\"").dropFirst()
    for name in names {
      let symbol = name.prefix { $0 != "\"" && $0 != "@" }.components(separatedBy: " [with")[0]
      let parts = symbol.components(separatedBy: ".(file).")
      guard parts.count == 2, parts[0].hasPrefix("Foundation") else {
        others.insert(symbol)
        continue
      }
      foundation.insert(parts[1].replacingOccurrences(of: " extension.", with: "."))
    }
    #expect(foundation.count > 40)
    return (foundation, others.sorted())
  }
}
