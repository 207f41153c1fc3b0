import UnderstudyMock

/// The test case that a sweep belongs to.
struct SweptTest: Sendable {
  /// Identifies the function: `AppTests.ChatTests/sweep()/ChatTests.swift:12:4`.
  let function: String
  /// Identifies the case, also in another process that runs the same tests.
  let name: String

  /// The case that runs; `nil` outside of a task of Swift Testing.
  static var current: SweptTest? {
    guard let test = Test.current, let testCase = Test.Case.current else { return nil }
    let function = "\(test.id)"
    // The name of a private type has an address, which differs between processes.
    let arguments = String(reflecting: testCase).replacing(/\(unknown context at [^)]*\)/, with: "")
    return SweptTest(function: function, name: "\(StableHash.of([function, arguments]))")
  }

  /// Whether another process can run the function alone: on macOS a helper of `swift test` does, which Xcode does not use.
  static func canRunAgain(_ arguments: [String] = CommandLine.arguments) -> Bool {
    #if canImport(Darwin)
    arguments.contains("--test-bundle-path")
    #else
    true
    #endif
  }

  /// The command that runs the function alone in another process.
  var command: [String] {
    // As Swift Testing does for its exit tests: on macOS a helper loads the bundle of the tests.
    let arguments = CommandLine.arguments
    let bundle = arguments.firstIndex(of: "--test-bundle-path").map { Array(arguments[$0...].prefix(2)) } ?? []
    return arguments.prefix(1) + bundle
      + ["--testing-library", "swift-testing", "--no-parallel", "--filter", "^\(pattern)$"]
  }

  /// A regular expression for the function's identifier.
  private var pattern: String {
    String(function.map { $0.isLetter || $0.isNumber ? $0 : "." })
  }
}
