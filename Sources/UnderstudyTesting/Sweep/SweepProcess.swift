import UnderstudyClient
import UnderstudyMock
import UnderstudySystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A child process that runs the client with one variant, in a lane of its parent's mock.
///
/// It runs the test again. The sweep of the test does not return: it writes how the client ends into a file, from which the parent
/// process reads it; after a crash the file has no end.
struct SweepProcess: Sendable {
  /// The file of the result.
  let path: String
  /// The test case whose sweep is meant.
  let test: String
  /// The address of the mock.
  let mock: URL
  /// The name of the lane.
  let lane: String
  /// The address of the lane.
  let baseURL: URL

  private static let prefix = "UNDERSTUDY_SWEEP_"

  /// This process, if it is one.
  static let current: SweepProcess? = {
    func value(_ name: String) -> String? { ProcessInfo.processInfo.environment[prefix + name] }
    guard let path = value("FILE"), let test = value("TEST"), let mock = value("MOCK").flatMap(URL.init),
      let lane = value("LANE"), let baseURL = value("URL").flatMap(URL.init)
    else { return nil }
    return SweepProcess(path: path, test: test, mock: mock, lane: lane, baseURL: baseURL)
  }()

  /// The variables of a child process.
  var variables: [String] {
    let values = [
      "FILE": path, "TEST": test, "MOCK": mock.absoluteString, "LANE": lane, "URL": baseURL.absoluteString,
    ]
    // A backtrace takes seconds, and would hide the message.
    return values.map { "\(Self.prefix)\($0)=\($1)" } + ["SWIFT_BACKTRACE=enable=no"]
  }

  private static let begun = "begun"

  /// Runs the client in the lane, and ends this process.
  func run(_ client: SweptClient<some Any>) async -> Never {
    write(Self.begun)
    let lane = UnderstudyClient.Lane(lane, at: baseURL, on: RunningMock(baseURL: mock))
    let (kind, text) =
      switch await client.outcome(in: lane) {
      case .returned(let value): ("returned", value)
      case .threw(let error): ("threw", error)
      default: ("hung", "")
      }
    write(JSONValue.array([.string(kind), .string(text)]).text)
    _exit(0)
  }

  private func write(_ line: String) {
    // Without the file, the parent finds that the process did not begin.
    try? FileSystem.append(Array((line + "\n").utf8), to: path)
  }

  /// Reads what a child has written: whether it came to its sweep, and how the client ended; `nil` for one that crashed.
  static func result(in text: String) -> (hasBegun: Bool, outcome: Sweep.Row.Outcome?) {
    let lines = text.split(separator: "\n" as Character).map(String.init)
    let end = lines.dropFirst().first.flatMap { try? JSONValue(parsing: $0) }?.array?.compactMap(\.string) ?? []
    let outcome: Sweep.Row.Outcome? =
      switch end.first {
      case "returned": .returned(end[1])
      case "threw": .threw(end[1])
      case "hung": .hung
      default: nil
      }
    return (lines.first == begun, outcome)
  }
}
