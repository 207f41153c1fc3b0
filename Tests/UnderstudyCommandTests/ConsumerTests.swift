import Foundation
import Testing
import UnderstudyTestSupport

/// Packages of their own, which see only the public interface of the products. `make test` builds them before the tests run,
/// beside the products that it has built already.
struct ConsumerTests {
  private static func program(_ name: String) throws -> String {
    let path = Project.path(".build/debug/\(name)")
    try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is missing: `make test` builds it")
    return path
  }

  @Test func `a package outside of this one uses every library`() throws {
    let run = try Command.run(Self.program("Consumer"), [])
    #expect(run.error == "")
    #expect(
      run.output.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT") == """
        true
        /name expected string, found number 1
        minLength expected at least 2 characters, found 1 in "R"
        {"name":"Ada Lovelace"}
        Rex 3 4.5
        true 2
        Rex [3.0, 4.5]
        readPet 200 ["dragon"]
        readPet 404 []
        readPet default []
        400 sample findPets/400 (invalid request)
        req.param.schema the query parameter `limit` must be an integer, found `many`
        true 0
        the fixtures are valid
        --fault names the operation `readPte`, which no contract has
        unknown scenario `missing`
        200 0.3 seconds reset:body 5.0 seconds
        http://127.0.0.1:PORT
        point the client at http://127.0.0.1:PORT/v1
        draft 7 2 true
        1 diagnostic: config.unreadable

        """)
  }

  @Test func `a target with the plugin has the statuses of its contracts`() throws {
    let run = try Command.run(Self.program("Chat"), [])
    #expect(
      run.output == """
        200 waiting
        201 blocked
        203 wait
        204 wait
        205 wait
        401 sign in
        406 sign in
        500 try again
        501 try again

        """, "\(run.error)")
  }
}
