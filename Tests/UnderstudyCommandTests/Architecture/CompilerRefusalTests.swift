import Foundation
import Testing
import UnderstudyTestSupport

/// The modules of the build that the tests belong to.
private enum BuiltModules {
  private static let build = URL(filePath: Command.path).deletingLastPathComponent().path
  static let folder = build + "/Modules"
  static let exist = FileManager.default.fileExists(atPath: folder + "/UnderstudyCommand.swiftmodule")

  /// SwiftPM names a package after its folder.
  static let package = URL(filePath: Project.root).lastPathComponent.lowercased()

  /// The module maps of the C targets, which the Swift modules import.
  static let maps: [String] = {
    let root = Project.root
    var found: [String: String] = [:]
    func search(_ folder: String, named isMap: (String) -> Bool) {
      let paths = FileManager.default.enumerator(atPath: folder)
      while let path = paths?.nextObject() as? String {
        guard isMap(path) else { continue }
        let target = URL(filePath: path).pathComponents.dropLast().last { $0 != "include" } ?? path
        let name = target.hasSuffix(".build") ? String(target.dropLast(".build".count)) : target
        if found[name] == nil { found[name] = "\(folder)/\(path)" }
      }
    }
    search("\(root)/Sources") { $0.hasSuffix("module.modulemap") }
    search("\(root)/.build/checkouts") { $0.hasSuffix("include/module.modulemap") && !$0.contains("Tests/") }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: build)) ?? [] where name.hasSuffix(".build") {
      let path = "\(build)/\(name)/module.modulemap"
      if FileManager.default.fileExists(atPath: path) { found[String(name.dropLast(".build".count))] = path }
    }
    return found.values.sorted()
  }()
}

/// Mistakes that the compiler finds: each snippet is checked against the modules of this build.
@Suite(.enabled(if: BuiltModules.exist, "skipped: this build has no modules to import"))
struct CompilerRefusalTests {
  private static func check(_ snippet: String) throws -> Command.Result {
    try withProject(["snippet.swift": imports + snippet]) { folder in
      try Command.run(
        "/usr/bin/env",
        [
          "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-package-name", BuiltModules.package, "-I",
          BuiltModules.folder,
        ]
          + BuiltModules.maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + ["snippet.swift"], in: folder)
    }
  }

  private static let imports = """
    import UnderstudyCommand
    @testable import UnderstudyMock
    import UnderstudyRecording
    import UnderstudyVerification

    """

  @Test func `a redacted value reaches what prints, stores and sends`() throws {
    let result = try Self.check(
      """
      func print(_ text: Redacted<String>, in log: LineQueue) { log.append(text) }
      func store(_ entry: Redacted<[UInt8]>, in file: inout HAROutput) throws { try file.append([entry], lost: 0) }
      func record(_ exchange: Redacted<Exchange>, of operation: CompiledOperation) -> RecordedAnswer? {
        RecordedAnswer(exchange, of: operation)
      }
      func shorten(_ text: Redacted<String>) -> Redacted<String> { text.map { String($0.prefix(80)) } }
      func change(_ state: inout LaneState) { state.change(at: 0, seed: "") { $0.state.requests = 0 } }
      """)
    #expect(result.code == 0, "\(result.error)")
  }

  @Test(arguments: [
    (
      "func print(_ target: String, in log: LineQueue) { log.append(target) }",
      "cannot convert value of type 'String' to expected argument type 'Redacted<String>'"
    ),
    (
      "func store(_ entry: [UInt8], in file: inout HAROutput) throws { try file.append([entry], lost: 0) }",
      "cannot convert value of type '[UInt8]' to expected element type"
    ),
    (
      "func record(_ exchange: Exchange, of operation: CompiledOperation) { _ = RecordedAnswer(exchange, of: operation) }",
      "cannot convert value of type 'Exchange' to expected argument type 'Redacted<Exchange>'"
    ),
    (
      "func trust(_ text: String) -> Redacted<String> { Redacted(text) }",
      "'Redacted<Value>' initializer is inaccessible due to 'internal' protection level"
    ),
  ]) func `a value with its secrets does not compile where it would be printed, stored or sent`(
    _ snippet: String, _ error: String
  ) throws {
    let result = try Self.check(snippet)
    #expect(result.code != 0 && result.error.contains("error: \(error)"), "\(result.error)")
  }

  @Test(arguments: [
    (
      "func begin() { let transaction = LaneTransaction(at: 0, seed: \"\"); _ = transaction.now }",
      "'LaneTransaction' initializer is inaccessible due to 'fileprivate' protection level"
    ),
    (
      """
      func keep(_ state: inout LaneState) {
        state.change(at: 0, seed: "") { transaction in
          let kept = transaction
          _ = kept.now
        }
      }
      """, "missing reinitialization of inout parameter 'transaction' after consume"
    ),
  ]) func `a transaction of a lane that is begun by hand or kept does not compile`(
    _ snippet: String, _ error: String
  ) throws {
    let result = try Self.check(snippet)
    #expect(result.code != 0 && result.error.contains("error: \(error)"), "\(result.error)")
  }
}
