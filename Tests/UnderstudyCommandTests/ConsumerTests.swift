import Foundation
import TestSupport
import Testing

/// A package of its own sees only the public interface of the products. `make test` builds it before the tests run; this
/// build then has nothing left to do.
@Suite(.serialized, .ownQueue) struct ConsumerTests {
  // Other flags than those of `make test` would build everything again.
  private static let options =
    ["--scratch-path", ".build/consumer"]
    + (ProcessInfo.processInfo.environment["TEST_FLAGS"] ?? "").split(separator: " ").map(String.init)

  @Test func `a package outside of this one builds with the three products and uses them`() throws {
    let build = try Command.run(
      "/usr/bin/env", ["swift", "build", "--product", "Consumer", "--package-path", "Tests/Consumer"] + Self.options)
    try #require(build.code == 0, "\(build.output)\(build.error)")
    let run = try Command.run("/usr/bin/env", [Project.path(".build/consumer/debug/Consumer")])
    #expect(run.error == "")
    #expect(
      run.output.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT") == """
        true
        /name expected string, found number 1
        minLength expected at least 2 characters, found 1 in "R"
        {"name":"Ada Lovelace"}
        readPet 200 ["dragon"]
        readPet 404 []
        readPet default []
        400 sample findPets/400 (invalid request)
        req.param.schema the query parameter `limit` must be an integer, found `many`
        true 0
        the fixtures are valid
        http://127.0.0.1:PORT
        point the client at http://127.0.0.1:PORT/v1
        1 diagnostic: config.unreadable

        """)
  }

  @Test func `a target with the plugin has the statuses of its contracts`() throws {
    let run = try Command.run(
      "/usr/bin/env",
      [
        "UNDERSTUDY=\(Command.path)", "swift", "run", "--quiet", "--package-path", "Tests/PluginConsumer",
      ] + Self.options + ["Chat"])
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
