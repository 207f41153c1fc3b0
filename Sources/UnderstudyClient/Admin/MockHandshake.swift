import Foundation

/// What a mock can do.
struct MockHandshake: Sendable {
  /// The version of the admin API that this library speaks.
  static let version = 1

  /// 0 for a program from before the handshake.
  let api: Int
  /// The version of the program: `0.1.0`.
  let program: String
  let features: Set<String>

  /// Whether a mock has answered in this process.
  static func hasAnswered(_ mock: RunningMock) -> Bool { mock.facts.withLock { $0.handshake != nil } }

  /// Asks a mock, once in a process.
  static func of(_ mock: RunningMock) async throws -> MockHandshake {
    if let known = mock.facts.withLock(\.handshake) { return known }
    let answer = try await read(mock)
    mock.facts.withLock { $0.handshake = answer }
    return answer
  }

  private static func read(_ mock: RunningMock) async throws -> MockHandshake {
    let client = AdminClient(mock: mock)
    do {
      let answer = try await client.send("GET", "version")
      let handshake = MockHandshake(
        api: answer["api"]?.int ?? 0, program: answer["program"]?.string ?? "?",
        features: Set(answer["features"]?.array?.compactMap(\.string) ?? []))
      guard handshake.api == version else { throw MockProblem(mock).isOther(handshake) }
      return handshake
    } catch let refusal as AdminClient.Refusal where refusal.status == 404 {
      // A mock from before the handshake, or a server that has no admin API.
    } catch let refusal as AdminClient.Refusal {
      throw MockProblem(mock).isAnotherServer("it has no admin API: \(refusal.detail)")
    }
    do {
      let program = try await client.send("GET", "health")["version"]?.string
      return MockHandshake(api: 0, program: program ?? "?", features: [])
    } catch let refusal as AdminClient.Refusal {
      throw MockProblem(mock).isAnotherServer("it has no admin API: \(refusal.detail)")
    }
  }

  /// Throws where a mock lacks a feature that a call needs.
  static func require(_ feature: String, of mock: RunningMock, for call: String) async throws {
    let answer = try await of(mock)
    guard answer.features.contains(feature) else { throw MockProblem(mock).lacks(feature, for: call, answer.program) }
  }
}
