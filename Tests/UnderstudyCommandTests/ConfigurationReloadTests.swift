import Foundation
import Testing
import UnderstudyTestSupport

/// A config file that changes under a live server.
@Suite(.waitsForProcesses)
struct ConfigurationReloadTests {
  private func serving(
    _ configuration: String?, _ arguments: String...,
    body: (ServedMock, _ change: (String) throws -> Void) throws -> Void
  ) throws {
    var files = Shop.files
    files["understudy.yaml"] = configuration
    files["other.yaml"] = Shop.contract.replacing("/pets/", with: "/others/").replacing("readPet", with: "readOther")
    try withProject(files) { folder in
      let mock = try ServedMock(arguments, in: folder)
      defer { mock.stop() }
      try body(mock) { try write(["understudy.yaml": $0], in: folder) }
    }
  }

  private static let reloaded = "\nreloaded after a change of understudy.yaml\n"

  @Test func `a changed setting is applied`() throws {
    try serving("contracts: [shop.yaml]\n") { mock, change in
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      try change("contracts: [shop.yaml]\nforce: {readPet: 404}\n")
      #expect(mock.waits(for: Self.reloaded), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").status == 404)
      try change("contracts: [shop.yaml]\nrules: {req.param.schema: \"off\"}\n")
      #expect(mock.waits(for: Self.reloaded, count: 2), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/one").status == 200)
    }
  }

  @Test func `a contract that the file adds is served and watched`() throws {
    try serving("contracts: [shop.yaml]\n") { mock, change in
      #expect(try Curl.get(mock.url + "/others/1").status == 404)
      try change("contracts: [shop.yaml, other.yaml]\n")
      #expect(mock.waits(for: Self.reloaded), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/others/1").status == 200)
    }
  }

  @Test func `a flag takes precedence over a changed setting`() throws {
    try serving("contracts: [shop.yaml]\n", "--force", "readPet=404") { mock, change in
      try change("contracts: [shop.yaml]\nforce: {readPet: 200}\n")
      #expect(mock.waits(for: Self.reloaded), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").status == 404)
    }
  }

  @Test func `a setting of the socket needs a restart, and the log reports it`() throws {
    try serving("contracts: [shop.yaml]\n") { mock, change in
      try change("contracts: [shop.yaml]\nport: 4999\nhost: 0.0.0.0\ncors: false\nupstream: http://127.0.0.1:1\n")
      #expect(
        mock.waits(for: "restart to apply `host`, `cors`, `upstream`, `port` of understudy.yaml\n"), "\(mock.printed)")
      #expect(mock.waits(for: Self.reloaded), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
    }
  }

  @Test func `a file with an error is reported, and the last valid settings stay`() throws {
    try serving("contracts: [shop.yaml]\nforce: {readPet: 404}\n") { mock, change in
      for (count, mistake) in [
        ("fource: {readPet: 200}", "understudy.yaml:2:1: error: unknown key `fource` [config.unknown-key]"),
        (
          "on-invalid: wran",
          "error: `on-invalid: wran` (understudy.yaml:2:13) is unknown\n  help: did you mean `warn`?"
        ),
        ("force: {readPet: 418}", "`force` asks readPet for `418`, which it does not have"),
      ].enumerated() {
        try change("contracts: [shop.yaml]\n\(mistake.0)\n")
        let line = "not reloaded after a change of understudy.yaml: the last valid state is served\n"
        #expect(mock.waits(for: line, count: count + 1), "\(mock.printed)")
        #expect(mock.printed.contains(mistake.1), "\(mock.printed)")
        #expect(try Curl.get(mock.url + "/pets/1").status == 404)
      }
    }
  }

  @Test func `a file that appears is applied`() throws {
    try serving(nil, "shop.yaml") { mock, change in
      try change("on-invalid: warn\n")
      #expect(mock.waits(for: Self.reloaded), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/one").status == 200)
    }
  }
}
