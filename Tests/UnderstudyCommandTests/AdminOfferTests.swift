import Foundation
import Testing
import UnderstudyTestSupport

/// Where `serve` offers its admin API, and to whom.
struct AdminOfferTests {
  private static let contract = Project.path("specs/slp.yaml")

  private func status(_ url: String, _ arguments: String...) throws -> String {
    try Command.run("/usr/bin/curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + arguments + [url]).output
  }

  @Test func `without it the contract answers there`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch", "--no-admin"])
    #expect(try status(mock.url + "/__admin/health") == "500")
    #expect(!mock.printed.contains("console:"))
  }

  @Test func `it moves out of the way of a contract that has its path`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Own, version: "1"}
      paths:
        /__admin/health:
          get: {operationId: readOwn, responses: {"299": {description: Own}}}
      """
    try withProject(["own.yaml": contract]) { folder in
      let clash = "`GET /__admin/health` cannot be reached: the admin API answers below /__admin"
      let hidden = try ServedMock(["own.yaml", "--no-watch"], in: folder)
      #expect(hidden.printed.contains(clash), "\(hidden.printed)")
      #expect(try status(hidden.url + "/__admin/health") == "200")
      let moved = try ServedMock(["own.yaml", "--no-watch", "--admin-path", "/__other"], in: folder)
      #expect(!moved.printed.contains(clash))
      #expect(try status(moved.url + "/__admin/health") == "299")
      #expect(try status(moved.url + "/__other/health") == "200")
      #expect(moved.waits(for: "console: \(moved.url)/__other/\n", count: 1, seconds: 20))
      let log = try Command.run("ctl", "log", "--url", moved.url + "/__other")
      #expect(log.code == 0 && log.output.contains("GET /__admin/health 299"), "\(log)")
    }
  }

  @Test func `where other machines reach it, only the token opens it`() throws {
    let mock = try ServedMock([Self.contract, "--no-watch", "--host", "0.0.0.0"])
    let url = "http://127.0.0.1:\(mock.port)/__admin/"
    #expect(mock.waits(for: "/__admin/?token=", count: 1, seconds: 20), "\(mock.printed)")
    let token = String(
      mock.printed.split(separator: "?token=").dropFirst().first?.prefix { $0.isLetter || $0.isNumber } ?? "")
    #expect(token.count == 26)
    #expect(try status(url + "health") == "401")
    #expect(try status(url + "health", "-H", "Authorization: Bearer \(token)") == "200")
    #expect(try status(url + "health", "-H", "Authorization: Bearer \(token)x") == "401")
    #expect(try status(url) == "401" && status(url + "console/main.js") == "200")
    let page = try Command.run("/usr/bin/curl", ["-s", "-L", "\(url.dropLast())?token=\(token)"])
    let key = String(page.output.split(separator: "name=\"understudy-key\" content=\"").last?.prefix(26) ?? "")
    #expect(try status(url + "health", "-H", "Understudy-Console: \(key)") == "200", "\(page)")
    let refused = try Command.run("ctl", "lanes", "--url", "http://127.0.0.1:\(mock.port)")
    #expect(refused.code == 2 && refused.error.contains("the admin API needs its token here"), "\(refused)")
    let allowed = try Command.run(
      "ctl", "lanes", "--url", "http://127.0.0.1:\(mock.port)", environment: ["UNDERSTUDY_ADMIN_TOKEN": token])
    #expect(allowed.code == 0, "\(allowed)")
    // It is printed once, and never logged.
    #expect(mock.printed.components(separatedBy: token).count == 2, "\(mock.printed)")
  }

  @Test(arguments: [
    (["--admin-path", "x"], "`--admin-path x` is not a path for the admin API"),
    (["--admin-path", "/a/../b"], "is not a path for the admin API"),
    (["--no-admin", "--admin-path", "/__a"], "`--admin-path` has no effect with `--no-admin`"),
  ])
  func `a path that cannot be used is a message`(_ arguments: [String], _ message: String) throws {
    let result = try Command.run(Command.path, ["serve", Self.contract, "--port", "0"] + arguments)
    #expect(result.code == 2 && result.error.contains(message), "\(result)")
  }
}
