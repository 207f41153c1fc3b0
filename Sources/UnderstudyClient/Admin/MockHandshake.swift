import Foundation

/// What a mock can do.
struct MockHandshake: Sendable {
  /// The version of the admin API that this library speaks.
  static let version = 1

  /// Of the program: `0.1.0`; `nil` for a program that has no handshake.
  let program: String?
  let features: Set<String>
  /// The paths of the operations: what is captured in a path is read by them.
  let templates: [String: String]

  private static let known = Guarded<[Mock: MockHandshake]>([:])

  /// Whether a mock has answered in this process.
  static func hasAnswered(_ mock: Mock) -> Bool { known.withLock { $0[mock] != nil } }

  /// Asks a mock, once in a process.
  static func of(_ mock: Mock) async throws -> MockHandshake {
    if let known = known.withLock({ $0[mock] }) { return known }
    let answer = try await read(mock)
    known.withLock { $0[mock] = answer }
    return answer
  }

  private static func read(_ mock: Mock) async throws -> MockHandshake {
    let client = AdminClient(mock: mock)
    var answer: JSON?
    do {
      answer = try await client.send("GET", "version")
    } catch let refusal as AdminClient.Refusal where refusal.kind == "not-found" {
      // A mock from before the handshake.
    } catch let refusal as AdminClient.Refusal {
      throw MockProblem(mock).isAnotherServer("there is no admin API below it: \(refusal.detail)")
    }
    let program = answer?["program"]?.string
    if let api = answer?["api"]?.int, api != version { throw MockProblem(mock).isNewer(api, program ?? "?") }
    let operations: [JSON]
    do {
      operations = try await client.send("GET", "operations")["operations"]?.array ?? []
    } catch let refusal as AdminClient.Refusal {
      // The address has a path, or the admin API is elsewhere.
      throw MockProblem(mock).isAnotherServer("there is no admin API below it: \(refusal.detail)")
    }
    let templates = operations.compactMap { operation -> (String, String)? in
      guard let id = operation["id"]?.string, let path = operation["path"]?.string else { return nil }
      return (id, path)
    }
    return MockHandshake(
      program: program, features: Set(answer?["features"]?.array?.compactMap(\.string) ?? []),
      templates: Dictionary(templates, uniquingKeysWith: { first, _ in first }))
  }

  /// Throws where a mock lacks a feature that a call needs.
  static func require(_ feature: String, of mock: Mock, for call: String) async throws {
    let answer = try await of(mock)
    guard answer.features.contains(feature) else { throw MockProblem(mock).lacks(feature, for: call, answer.program) }
  }
}
