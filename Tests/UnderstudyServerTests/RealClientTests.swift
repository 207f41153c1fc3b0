import Foundation
import Testing
import UnderstudyServer
import UnderstudyTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension OverSockets {
  @Suite struct RealClientTests {
    private static let curl = "/usr/bin/curl"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: curl), "skipped: no curl"))
    func `curl sends a large body after asking, and reads the answer`() async throws {
      try await serving { port, _ in
        let url = "http://127.0.0.1:\(port)"
        // curl expects 100-continue by itself beyond a megabyte.
        let body = String(repeating: "z", count: 2_000_000)
        let echoed = try Self.run(["-s", "-v", "--data-binary", "@-", "\(url)/up"], input: body)
        #expect(echoed.output == "POST /up " + body)
        #expect(echoed.error.contains("< HTTP/1.1 100 Continue"))
        let chunked = try Self.run(["-s", "-H", "Transfer-Encoding: chunked", "-T", "-", "\(url)/put"], input: "piece")
        #expect(chunked.output == "PUT /put piece")
        #expect(try Self.run(["-s", "-0", "\(url)/ready"]).output == "ready")
        #expect(try Self.run(["-s", "--http2", "\(url)/ready", "\(url)/ready"]).output == "readyready")
        #expect(try Self.run(["-s", "-I", "\(url)/long"]).output.contains("Content-Length: 1000000"))
      }
    }

    /// Exit codes as curl's manual lists them: 52 nothing came, 56 receiving failed, 18 a part is missing, 28 too late,
    /// 1 not HTTP (or HTTP/0.9).
    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: curl), "skipped: no curl"),
      arguments: [("close", 52), ("reset", 56), ("truncate", 18), ("hang", 28), ("drip", 28), ("garbage", 1)])
    func `curl meets a fault`(fault: String, code: Int32) async throws {
      try await serving { port, _ in
        let result = try Self.run(["-s", "-m", "0.3", "http://127.0.0.1:\(port)/fault/\(fault)"])
        #expect(result.code == code)
      }
    }

    @Test func `URLSession sends and receives`() async throws {
      try await serving { port, _ in
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/up"))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("hello".utf8)
        let (data, response) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "POST /up hello")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let broken = try #require(URL(string: "http://127.0.0.1:\(port)/fault/close"))
        await #expect(throws: URLError.self) { try await session.data(from: broken) }
      }
    }

    private static func run(_ arguments: [String], input: String = "") throws -> Command.Result {
      try Command.run(curl, ["-q", "--noproxy", "*"] + arguments, input: input)
    }
  }
}
