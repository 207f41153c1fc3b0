import Foundation
import Testing
import UnderstudyTestSupport

/// `check.cancelled` with curl, which leaves when its time is up.
@Suite(.waitsForProcesses)
struct CancelledRequestTests {
  /// Runs a script of curl in the lane without a name, and returns the verdict with the log.
  private func verdict(of script: String) throws -> (verdict: String, log: String) {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--delay", "readPet=3s", "--check", "cancelled=1s"], in: folder)
      defer { mock.stop() }
      let pet = "\(mock.url)/pets/1"
      _ = try Command.run("/bin/sh", ["-c", script.replacing("PET", with: pet)])
      return (try Curl.get("\(mock.url)/__admin/lanes/default").body, mock.printed)
    }
  }

  @Test func `a client that asks again and takes both answers breaks the check`() throws {
    let (verdict, log) = try verdict(of: "curl -s -Z --parallel-immediate 'PET?q=a' 'PET?q=b'")
    #expect(verdict.contains("check.cancelled") && verdict.contains(#""verdict": "failed""#), "\(verdict)")
    #expect(log.contains("after the client had asked again [check.cancelled]\n    request 1: GET /pets/1?q="), "\(log)")
  }

  @Test func `a client that leaves before it asks again keeps the check`() throws {
    let (verdict, log) = try verdict(of: "curl -s -m 0.1 'PET?q=a'; curl -s 'PET?q=b'")
    #expect(verdict.contains(#""verdict": "passed""#) && verdict.contains(#""requests": 2"#), "\(verdict)")
    #expect(!log.contains("check.cancelled"), "\(log)")
  }

  @Test func `a client that waits for its answer before it asks again keeps the check`() throws {
    let (verdict, _) = try verdict(of: "curl -s 'PET?q=a' && curl -s 'PET?q=b'")
    #expect(verdict.contains(#""verdict": "passed""#) && verdict.contains(#""requests": 2"#), "\(verdict)")
  }
}
