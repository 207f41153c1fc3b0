import Foundation
import Testing

/// The programs of this package: they see only the public interface of the products.
struct ProgramTests {
  private struct Run {
    var output: String
    var error: String
  }

  /// Runs a program of this package in the root of the checkout.
  private static func run(_ name: String) throws -> Run {
    let process = Process()
    // The bundle of resources is beside the programs.
    process.executableURL = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: name)
    process.currentDirectoryURL = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
    // SwiftNIO ends a program that uses an event loop after its end, instead of printing a line about it.
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("UNDERSTUDY_") }
      .merging(["SWIFTNIO_STRICT": "1"]) { _, new in new }
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // The programs write less than a pipe holds.
    let texts = try [output, error].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Run(output: texts[0], error: texts[1])
  }

  @Test func `a package outside of this one uses every library`() throws {
    let run = try Self.run("Consumer")
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
        5.0 seconds
        http://127.0.0.1:PORT
        point the client at http://127.0.0.1:PORT/v1
        draft 7 2 true
        1 diagnostic: config.unreadable

        """)
  }

  @Test func `a target with the plugin has the statuses of its contracts`() throws {
    let run = try Self.run("Chat")
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
