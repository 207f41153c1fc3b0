import Foundation
import Testing
import UnderstudyTesting

/// What curl prints of a request by HTTPS, which trusts one file of certificates.
private func curl(_ url: URL, trusting file: URL?) async throws -> (code: Int32, output: String) {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "curl").async {
      continuation.resume(
        with: Result {
          let (process, pipe) = (Process(), Pipe())
          process.executableURL = URL(filePath: "/usr/bin/curl")
          process.arguments =
            ["-q", "--noproxy", "*", "-s", url.absoluteString] + (file.map { ["--cacert", $0.path] } ?? [])
          process.standardOutput = pipe
          try process.run()
          let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
          process.waitUntilExit()
          return (process.terminationStatus, String(decoding: output, as: UTF8.self))
        })
    }
  }
}

private let hours = """
  openapi: 3.1.0
  info: {title: Hours, version: "1"}
  paths:
    /hours:
      get:
        operationId: readHours
        responses: {"200": {description: Hours, content: {application/json: {example: {open: 9}}}}}
  """

struct HTTPSTests {
  @Test(.understudy(try Contract(hours, name: "hours"), tls: true))
  func `a client that trusts the authority reads, and another one does not`() async throws {
    let lane = try #require(Lane.current)
    #expect(lane.baseURL.scheme == "https")
    let url = lane.baseURL.appending(path: "hours")
    let read = try await curl(url, trusting: #require(lane.authorityFile))
    #expect(read.output == #"{"open":9}"#, "\(read)")
    try await lane.expect("readHours", times: 1)
    // curl: the certificate cannot be verified.
    #expect(try await curl(url, trusting: nil).code == 60)
    try await lane.expect("readHours", times: 1)
  }

  @Test(.understudy(try Contract(hours, name: "hours"), tls: true))
  func `the authority is a certificate in DER`() throws {
    let authority = try #require(Lane.current?.authority)
    // A sequence with a length of two bytes (X.690, 8.1.3).
    #expect(authority.count > 300 && authority.prefix(2) == Data([0x30, 0x82]))
  }

  @Test func `a mock of XCTest has it too, and another one serves plain HTTP`() async throws {
    let secure = try await Lane.open(on: .start(Contract(hours, name: "hours"), tls: true))
    #expect(try await curl(secure.baseURL.appending(path: "hours"), trusting: secure.authorityFile).code == 0)
    try await secure.close()
    let plain = try await Lane.open(on: .start(Contract(hours, name: "hours")))
    #expect(plain.baseURL.scheme == "http" && plain.authorityFile == nil && plain.authority == nil)
    try await plain.close()
  }
}
