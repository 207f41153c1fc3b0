import Testing
import UnderstudyTestSupport

/// The options of HTTPS. A program without the trait `TLS` has them, and says how to get one with it.
struct TLSOptionTests {
  #if !TLS
  @Test(arguments: [
    ("serve specs/slp.yaml --tls", "`--tls` needs"),
    ("serve specs/slp.yaml --tls-fault expired", "`--tls-fault` needs"),
    ("serve specs/slp.yaml --client-ca ca.pem", "`--client-ca` needs"),
    ("run specs/slp.yaml --tls -- true", "`--tls` needs"),
    ("record specs/slp.yaml --upstream http://127.0.0.1:1 --tls", "`--tls` needs"), ("tls trust", "`tls trust` needs"),
    ("tls status", "`tls status` needs"), ("tls remove", "`tls remove` needs"),
  ])
  func `a program without TLS says how to get it`(line: String, message: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let result = try Command.run(Command.path, words)
    #expect(result.code == 2)
    #expect(
      result.error.hasSuffix(
        """
        error: \(message) a program with TLS, and this one was built without it
          help: released programs have it; from the sources `make install`, or `swift build --traits TLS`

        """), "\(result.error)")
  }
  #endif

  @Test(arguments: [("--cert", "--key"), ("--key", "--cert")])
  func `a certificate and its key belong together`(option: String, other: String) throws {
    let result = try Command.run("serve", "specs/slp.yaml", option, "file.pem")
    #expect(result.code == 2)
    #expect(result.error.contains("`\(option)` has no effect without `\(other)`"), "\(result.error)")
  }

  @Test func `a recording of a file has no server`() throws {
    let result = try Command.run("record", "specs/slp.yaml", "--from", "docs/examples/slp.har", "--tls")
    #expect(result.code == 2)
    #expect(result.error.contains("`--tls` has no effect beside `--from`"), "\(result.error)")
  }
}
