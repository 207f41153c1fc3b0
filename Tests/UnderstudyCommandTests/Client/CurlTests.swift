import Testing
import UnderstudyCommand
import UnderstudyTestSupport

/// The C library of GNU looks for `libcurl.so.4` in `LD_LIBRARY_PATH`, and has these messages; macOS always has its own.
@Suite(.enabled(if: hasGlibc))
struct CurlTests {
  private static func withoutCurl(_ body: (_ folder: String, _ environment: [String: String]) throws -> Void) throws {
    let files = ["lib/libcurl.so.4": "not a library\n", "lib/libcurl-gnutls.so.4": "not a library\n"]
    try withProject(Shop.files.merging(files) { first, _ in first }) { folder in
      try body(folder, ["LD_LIBRARY_PATH": "\(folder)/lib"])
    }
  }

  @Test func `a mock that sends no request serves without libcurl`() throws {
    try Self.withoutCurl { folder, environment in
      let mock = try ServedMock(["shop.yaml"], in: folder, environment: environment)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
    }
  }

  @Test(arguments: [
    ["fetch", "http://127.0.0.1:9/api.yaml"], ["lint", "http://127.0.0.1:9/api.yaml"],
    ["verify", "shop.yaml", "--live", "http://127.0.0.1:9"], ["ctl", "lanes", "--url", "http://127.0.0.1:9"],
  ])
  func `a command that sends requests says that libcurl is missing`(arguments: [String]) throws {
    try Self.withoutCurl { folder, environment in
      let result = try Command.run(Command.path, arguments, in: folder, environment: environment)
      #expect(
        result.error.hasSuffix(
          """
          error: libcurl cannot be loaded: \(folder)/lib/libcurl.so.4: file too short
            help: requests to other servers need it: \(LibcurlPackage.advice)

          """), "\(result.error)")
      #expect(result.code == 4)
    }
  }

  @Test func `a proxy does not start without libcurl`() throws {
    try Self.withoutCurl { folder, environment in
      let failure = #expect(throws: ServedMock.ServeFailed.self) {
        try ServedMock(["shop.yaml", "--upstream", "http://127.0.0.1:9"], in: folder, environment: environment)
      }
      #expect(failure?.printed.contains("error: libcurl cannot be loaded: ") == true)
    }
  }

  @Test func `doctor says that libcurl is missing`() throws {
    try Self.withoutCurl { folder, environment in
      let result = try Command.run("doctor", "shop.yaml", "--port", "0", in: folder, environment: environment)
      let line = "no  libcurl     libcurl cannot be loaded: \(folder)/lib/libcurl.so.4: file too short\n"
      #expect(result.output.contains(line), "\(result.output)")
      #expect(result.code == 1)
    }
  }
}

#if canImport(Glibc)
private let hasGlibc = true
#else
private let hasGlibc = false
#endif
