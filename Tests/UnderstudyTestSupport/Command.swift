import Foundation

/// The built command, run as by a user.
package enum Command {
  /// The result of a finished command.
  package struct Result: Sendable {
    package let output: String
    package let error: String
    package let code: Int32
  }

  /// `understudy` in the folder of the built tests.
  package static var path: String { built("understudy") }
  /// `UnderstudyEvidence` in the folder of the built tests.
  package static var evidence: String { built("UnderstudyEvidence") }

  private static func built(_ program: String) -> String {
    let bundle =
      bundle(of: CommandLine.arguments) ?? Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
      ?? CommandLine.arguments[0]
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: program).path
  }

  /// The bundle of tests that the arguments of a helper of the toolchain name by its program; `nil` without one.
  package static func bundle(of arguments: [String]) -> String? {
    guard let flag = arguments.firstIndex(of: "--test-bundle-path"), flag + 1 < arguments.count else { return nil }
    let path = arguments[flag + 1]
    return path.firstRange(of: ".xctest/").map { String(path[..<$0.upperBound].dropLast()) } ?? path
  }

  /// The environment of the tests, without settings for Understudy. SwiftNIO ends a program that uses an event
  /// loop after its end, instead of printing a line about it.
  static let environment: [String: String] = {
    // In CI `record` writes nothing.
    let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("UNDERSTUDY_") && $0.key != "CI" }
    return own.merging(["SWIFTNIO_STRICT": "1", "NO_COLOR": "1"]) { _, new in new }
  }()

  /// Runs `understudy` with arguments from the project's root, or another folder, to its end.
  package static func run(
    _ arguments: String..., in folder: String = Project.root, environment: [String: String] = [:], input: String = ""
  ) throws -> Result {
    try run(path, arguments, in: folder, environment: environment, input: input)
  }

  /// Runs any program to its end, with a text on its standard input.
  package static func run(
    _ program: String, _ arguments: [String], in folder: String = Project.root, environment: [String: String] = [:],
    input: String = ""
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = Self.environment.merging(environment) { _, new in new }
    let inputFile = try TemporaryFile(input)
    process.standardInput = try inputFile.reader()
    // Files rather than pipes: a full pipe would block the command.
    let files = try [TemporaryFile(), TemporaryFile()]
    process.standardOutput = files[0].handle
    process.standardError = files[1].handle
    try process.run()
    process.waitUntilExit()
    return Result(output: files[0].text, error: files[1].text, code: process.terminationStatus)
  }
}

extension Command {
  /// The path of curl.
  package static let curl = "/usr/bin/curl"
  /// Whether curl is installed.
  package static let hasCurl = FileManager.default.isExecutableFile(atPath: curl)

  /// Runs curl on a thread of its own: streams of a mock in this process need the threads of the tests.
  package static func curl(_ arguments: [String]) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "curl").async {
        continuation.resume(with: Swift.Result { try run(curl, ["-q", "--noproxy", "*", "-s"] + arguments) })
      }
    }
  }
}

/// A running `understudy serve`, or `record`, on a free port.
package final class ServedMock: Sendable {
  private let process: Process
  private let log: ProcessOutput
  /// `http://127.0.0.1:54321`
  package let url: String

  /// Starts and waits for the banner; throws the output if the command ends before.
  ///
  /// - Parameter preparation: Shell commands before the start, such as `ulimit -n 128`.
  package init(
    _ arguments: [String], command: String = "serve", in folder: String = Project.root,
    environment: [String: String] = [:], after preparation: String? = nil
  ) throws {
    let process = Process()
    let log = ProcessOutput()
    process.executableURL = URL(filePath: preparation == nil ? Command.path : "/bin/sh")
    let shell = preparation.map { ["-c", "\($0); exec \"$0\" \"$@\"", Command.path] } ?? []
    process.arguments = shell + [command, "--port", "0", "--color", "never"] + arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = Command.environment.merging(environment) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = log.pipe
    try process.run()
    log.start()
    self.process = process
    self.log = log
    url = try Self.address(process, log)
  }

  deinit { stop() }

  /// The output so far.
  package var printed: String { log.text }

  /// Interrupts the process and waits for its end.
  package func stop() {
    guard process.isRunning else { return }
    process.interrupt()
    process.waitUntilExit()
  }

  /// The port of the server.
  package var port: Int { url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

  package var processIdentifier: Int32 { process.processIdentifier }

  /// Whether the process is running.
  package var isRunning: Bool { process.isRunning }

  /// Ends the process; returns its exit code and output.
  package func end() -> (code: Int32, printed: String) {
    stop()
    return (process.terminationStatus, printed)
  }

  /// Ends the process by a signal; returns its exit code and output.
  package func end(by number: Int32) -> (code: Int32, printed: String) {
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    return (process.terminationStatus, printed)
  }

  /// Sends a signal.
  package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits until the log has a text `count` times; returns whether it does within the limit.
  package func waits(for text: String, count: Int = 1, seconds: Double = 20) -> Bool {
    log.waits(seconds: seconds) { $0.components(separatedBy: text).count > count }
  }

  private static func address(_ process: Process, _ log: ProcessOutput) throws -> String {
    var address: String?
    _ = log.waits(seconds: 60) { text in
      if let start = text.range(of: "listening on "),
        let end = text[start.upperBound...].firstIndex(where: { $0 == "\n" || $0 == " " })
      {
        address = String(text[start.upperBound..<end])
      }
      return address != nil
    }
    guard let address else {
      if process.isRunning { process.terminate() }
      throw ServeFailed(printed: log.text)
    }
    return address
  }

  package struct ServeFailed: Error { package let printed: String }
}

/// A file for the input or the output of a process.
final class TemporaryFile: Sendable {
  let handle: FileHandle
  private let path: String

  init(_ text: String = "") throws {
    path = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)").path
    _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
    handle = try FileHandle(forWritingTo: URL(filePath: path))
  }

  deinit {
    try? handle.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// A handle at the start of the file, for another process.
  func reader() throws -> FileHandle { try FileHandle(forReadingFrom: URL(filePath: path)) }

  var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
