import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// A live run breaks every constraint of a request that can be broken on the wire.
struct BrokenConstraintsTests {
  /// `listPets /query/limit maximum`, for every request of a run that breaks something.
  private static func broken(_ path: String) async throws -> Set<String> {
    let mock = try Mock.load(Project.path(path))
    let contract = mock.contracts[0].compiled
    let broken = Mutex<Set<String>>([])
    _ = try await live(mock.contracts) { request, body in
      let target = request.path ?? "/"
      if case .match(let match) = contract.router.route(request.method.rawValue, target) {
        let operation = contract.operations[match.operation]
        let view = RequestView(request: request, target: target, captures: match.captures, body: body)
        for finding in operation.requestValidator.validation(of: view).findings where finding.violation != nil {
          let tokens = finding.notes.first?.location?.pointer?.split(separator: "/") ?? []
          // `required/0`
          let keyword = tokens.suffix(tokens.last.flatMap { Int($0) } == nil ? 1 : 2).joined(separator: "/")
          let place = finding.location?.pointer ?? ""
          broken.withLock { _ = $0.insert("\(operation.id) \(place) \(keyword)") }
        }
      }
      return mock.server(request, body)
    }
    return broken.withLock { $0 }
  }

  /// The lists were compared with the contracts by hand, and are exact. They lack what no wire can carry, such as an empty
  /// list in a form, and the types of a body's members behind eight refusals.
  @Test(arguments: ["petstore", "slp"])
  func `every constraint that a request can break is broken`(name: String) async throws {
    let found = try await Self.broken("specs/\(name).yaml")
    let expected = try Project.text("Tests/Reports/constraints-\(name).txt").split(separator: "\n").map(String.init)
    #expect(found.subtracting(expected) == [])
    #expect(Set(expected).subtracting(found) == [])
  }
}
