import Foundation
import Testing
import UnderstudyClient

/// The program that the tests start; without it they are skipped, and Swift Testing counts them.
enum Program {
  private static let root = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../..").standardizedFileURL

  /// A file of the checkout.
  static func file(_ path: String) -> String { root.appendingPathComponent(path).path }

  /// `UNDERSTUDY`, else the debug build of the checkout.
  static let path: String? = {
    let named = ProcessInfo.processInfo.environment["UNDERSTUDY"].flatMap { $0.isEmpty ? nil : $0 }
    let path = named ?? file(".build/debug/understudy")
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}

extension Trait where Self == ConditionTrait {
  /// Skips what needs the program.
  static var needsProgram: Self {
    .enabled(if: Program.path != nil, "no program: `make test` builds it, UNDERSTUDY names it")
  }
}

/// A process of `understudy serve` on a free port.
final class MockProcess: @unchecked Sendable {
  let mock: RunningMock
  private let process: Process

  init(
    _ arguments: [String] = [], contracts: [String] = ["specs/slp.yaml", "specs/petstore.yaml"],
    fixtures: String? = "fixtures"
  ) throws {
    let output = Pipe()
    process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Program.path))
    process.arguments =
      ["serve"] + contracts.map(Program.file) + ["--port", "0"]
      + (fixtures.map { ["--fixtures", Program.file($0)] } ?? []) + arguments
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("ready in") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw StartFailure(text: text) }
      text += String(decoding: data, as: UTF8.self)
    }
    // What it writes from now on must not fill the pipe.
    output.fileHandleForReading.readabilityHandler = { handle in
      if handle.availableData.isEmpty { handle.readabilityHandler = nil }
    }
    let address = text.components(separatedBy: "listening on ").last?.components(separatedBy: "\n").first ?? ""
    mock = RunningMock(baseURL: try #require(URL(string: address), "\(text)"))
  }

  struct StartFailure: Error { let text: String }

  func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }
}
