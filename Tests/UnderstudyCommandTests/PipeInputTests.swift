import Foundation
import Testing
import UnderstudyTestSupport

/// Pipes, devices and loops of links where a file is expected. Each of them would block an `open` or a `read`.
@Suite(.ownQueue)
struct PipeInputTests {
  @Test(arguments: ["pipe", "loop", "/dev/zero"])
  func `a path to no regular file is an error that names it, and no command waits for it`(path: String) throws {
    try withProject(Shop.files) { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      try FileManager.default.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: "loop")
      for (arguments, code) in [
        (["lint", path], 3), (["serve", path], 3), (["lint", "shop.yaml", "--config", path], 2),
        (["verify", "shop.yaml", "--har", path], 3), (["verify", "shop.yaml", "--baseline", path], 2),
        (["record", "shop.yaml", "--from", path], 3), (["schema", "check", path, "shop.yaml"], 3),
      ] as [([String], Int32)] {
        let result = try Command.run(Command.path, arguments, in: folder)
        #expect(result.code == code, "\(arguments)")
        #expect((result.error + result.output).contains("\(path): "), "\(arguments) \(result.error)")
      }
    }
  }

  @Test func `a pipe has advice, whichever option names it`() throws {
    try withProject(Shop.files) { folder in
      #expect(mkfifo(folder + "/pipe.yaml", 0o600) == 0)
      for arguments in [
        ["lint", "pipe.yaml"], ["lint", "shop.yaml", "--config", "pipe.yaml"],
        ["verify", "shop.yaml", "--live", "https://127.0.0.1:1", "--cacert", "pipe.yaml"],
        ["schema", "check", "pipe.yaml", "shop.yaml"], ["verify", "shop.yaml", "--har", "pipe.yaml"],
      ] {
        let result = try Command.run(Command.path, arguments, in: folder)
        let help = "help: name a file, or let the shell make the pipe: <(command)"
        #expect((result.error + result.output).contains(help), "\(arguments) \(result)")
      }
    }
  }

  @Test func `a config file that is a link to nowhere is an error`() throws {
    try withProject(Shop.files) { folder in
      try FileManager.default.createSymbolicLink(atPath: folder + "/understudy.yaml", withDestinationPath: "none")
      let result = try Command.run("lint", "shop.yaml", in: folder)
      #expect(result.code == 2)
      #expect(result.error.hasPrefix("understudy.yaml: error: no such file or folder [config.unreadable]"))
    }
  }

  @Test func `a contract is read from a pipe of the shell`() throws {
    try withProject(Shop.files) { folder in
      let command = "'\(Command.path)' lint <(cat shop.yaml)"
      let result = try Command.run("/bin/bash", ["-c", command], in: folder)
      #expect(result.code == 0, "\(result.output)\(result.error)")
    }
  }

  @Test(
    arguments: [6, 12, 24],
    ["serve shop.yaml --port 0", "run shop.yaml -- true", "record shop.yaml --upstream http://127.0.0.1:1"])
  func `a mock with too few descriptors is refused with the number that it needs`(count: Int, command: String) throws {
    try withProject(Shop.files) { folder in
      func serve(_ count: Int, _ arguments: String) throws -> (code: Int32, error: String) {
        let script = "ulimit -n \(count); exec '\(Command.path)' \(arguments)"
        let result = try Command.run("/bin/sh", ["-c", script], in: folder)
        return (result.code, result.error)
      }
      let result = try serve(count, command)
      #expect(result.code == 2)
      let words = "error: too few file descriptors for a mock: expected at least "
      #expect(result.error.hasPrefix(words), "\(result.error)")
      #expect(result.error.contains(", found \(count)\n  help: raise the limit: ulimit -n "), "\(result.error)")
      let needed = try #require(Int(result.error.dropFirst(words.count).prefix { $0.isNumber }))
      let mock = try ServedMock(["shop.yaml"], in: folder, after: "ulimit -n \(needed)")
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
    }
  }

  @Test(arguments: [
    ["verify", "shop.yaml", "--report", "html=pipe"], ["generate", "swift", "shop.yaml", "--output", "pipe"],
  ])
  func `an output that is a pipe without a reader is an error`(arguments: [String]) throws {
    try withProject(Shop.files) { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      let result = try Command.run(Command.path, arguments, in: folder)
      #expect(result.code == 2)
      #expect(
        result.error.contains("expected a file or a pipe with a reader, found a pipe without a reader, or a socket"),
        "\(result.error)")
    }
  }

  @Test(arguments: [">(cat >copy; echo >done)", "/dev/stderr"])
  func `a report is written to a pipe of the shell and to a device`(output: String) throws {
    try withProject(Shop.files) { folder in
      let command = """
        mkfifo done
        '\(Command.path)' verify shop.yaml --report json=\(output) 2>errors
        if [ '\(output)' = /dev/stderr ]; then mv errors copy; else read line <done; fi
        cat copy
        """
      let result = try Command.run("/bin/bash", ["-c", command], in: folder)
      #expect(result.output.contains("\"command\""), "\(result.output)\(result.error)")
    }
  }
}
