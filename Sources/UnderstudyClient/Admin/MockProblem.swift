import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why a mock cannot be used, with the next step.
struct MockProblem {
  let mock: RunningMock

  init(_ mock: RunningMock) { self.mock = mock }

  private var address: String { mock.baseURL.absoluteString }
  private static let command = "understudy serve CONTRACT"
  private var isOnThisMachine: Bool { ["127.0.0.1", "localhost", "::1", "[::1]"].contains(mock.baseURL.host ?? "") }

  var isNoURL: UnderstudyError {
    UnderstudyError(
      .unreachable,
      "`\(address)` is not the address of a mock: expected http://HOST:PORT",
      help: "\(RunningMock.variable) names it, as in \(RunningMock.defaultAddress)")
  }

  /// No answer came.
  func unreachable(_ error: URLError) -> UnderstudyError {
    if MockHandshake.hasAnswered(mock), error.code != .timedOut { return ended(error) }
    switch error.code {
    case .timedOut:
      return UnderstudyError(
        .unreachable,
        "the mock at \(address) did not answer in time",
        help:
          "look at the output of `understudy serve`; a process that is stopped accepts connections and does not answer")
    case .appTransportSecurityRequiresSecureConnection:
      return UnderstudyError(
        .unreachable,
        "App Transport Security refuses \(address)",
        help:
          "use 127.0.0.1, which it does not restrict, or allow NSAllowsLocalNetworking in the Info.plist of the tests")
    default:
      return UnderstudyError(
        .unreachable,
        "no mock answers at \(address): \(error.localizedDescription)",
        help: isOnThisMachine
          ? "start one: \(Self.command)\(port); in Xcode, Scripts/start-mock does that in a pre-action of the scheme"
          : "start one there: \(Self.command)\(port) --host 0.0.0.0, in the same network; \(RunningMock.variable) names it"
      )
    }
  }

  private var port: String {
    mock.baseURL.port.map { $0 == RunningMock.defaultPort ? "" : " --port \($0)" } ?? ""
  }

  /// It answered before.
  private func ended(_ error: URLError) -> UnderstudyError {
    UnderstudyError(
      .unreachable,
      "no mock answers at \(address) any more: \(error.localizedDescription)",
      help: "it was stopped or crashed during the tests: look at the output of `understudy serve`, and start it again")
  }

  var needsToken: UnderstudyError {
    UnderstudyError(
      .unreachable,
      "the mock at \(address) refuses the admin API without its token",
      help:
        "set \(RunningMock.tokenVariable) for the tests to the token of the mock; `understudy serve` prints a generated token"
    )
  }

  func isAnotherServer(_ answer: String) -> UnderstudyError {
    UnderstudyError(
      .unsupported,
      "the server at \(address) is no Understudy mock: \(answer)",
      help: "stop it, or start the mock on another port and name it by \(RunningMock.variable)")
  }

  func isOther(_ handshake: MockHandshake) -> UnderstudyError {
    UnderstudyError(
      .unsupported,
      "the mock at \(address) (understudy \(handshake.program)) has version \(handshake.api) of the admin API, and this "
        + "library needs version \(MockHandshake.version)",
      help: "update the package `understudy` to \(handshake.program), or start the program of the package's version")
  }

  /// - Parameter feature: `replies`.
  func lacks(_ feature: String, for call: String, _ program: String) -> UnderstudyError {
    UnderstudyError(
      .unsupported,
      "the mock at \(address) (understudy \(program)) is too old for `\(call)`: "
        + "its admin API has no feature `\(feature)`",
      help:
        "update the program, or start that of the package's version: `which understudy` names the one that was found")
  }
}
