import Foundation
import Testing
import UnderstudyClient
import UnderstudyClientTestSupport

/// The behaviours that the clients in Swift, Python and JavaScript have in common.
@Suite(.needsMock, .serialized)
struct BehaviourTests {
  @Test(.enabled(if: FileManager.default.fileExists(atPath: Behaviour.file), "no Tests/Clients/behaviours.yaml"))
  func `the list has behaviours`() { #expect(Behaviour.all.count >= 60) }

  @Test(arguments: Behaviour.all)
  func `a behaviour of every client is one of this client`(behaviour: Behaviour) async throws {
    let features = try await RunningMock.current.features
    guard behaviour.needs.allSatisfy(features.contains) else {
      return print("skipped: \(behaviour.name): the mock lacks \(behaviour.needs)")
    }
    let runner = BehaviourRunner()
    for step in behaviour.steps {
      let action = try #require(step.action, "line \(step.number)")
      do {
        var seen = JSONValue.null
        for _ in 0..<(step.members["repeat"]?.int ?? 1) {
          seen = try await runner.perform(action.name, action.value, step)
        }
        if let error = step.members["error"] {
          Issue.record("line \(step.number): expected an error \(error), saw \(seen)")
        } else if let see = step.members["see"], !matches(see, seen) {
          Issue.record("line \(step.number): expected \(see), saw \(seen)")
        }
      } catch let unfit as Unfit {
        print("skipped: \(behaviour.name): \(unfit.reason)")
        break
      } catch {
        guard let expected = step.members["error"] else {
          Issue.record("line \(step.number): \(error)")
          break
        }
        let failure = try #require(error as? UnderstudyError, "line \(step.number): \(error)")
        #expect(BehaviourRunner.matches(expected, failure), "line \(step.number): \(failure.kind), \(failure)")
      }
    }
    await runner.end()
  }
}

/// Why a step cannot be one of this client: what Swift's types exclude, or what only a client that starts mocks does.
struct Unfit: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
