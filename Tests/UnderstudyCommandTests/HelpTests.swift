import Foundation
import Testing
import UnderstudyTestSupport

@Suite(.waitsForProcesses)
struct HelpTests {
  /// The subcommands with options of their own; `coverage` stands for its default subcommand.
  private static let commands: [[String]] = {
    func below(_ words: [String]) -> [[String]] {
      let text = (try? Command.run(Command.path, words + ["--help"]).output) ?? ""
      // The subcommands of a long list are in groups.
      let sections = text.components(separatedBy: "\n\n").filter { $0.prefix { $0 != "\n" }.hasSuffix("SUBCOMMANDS:") }
      guard !sections.isEmpty else { return [words] }
      let names = sections.flatMap { $0.split(separator: "\n").dropFirst() }.filter { !$0.hasPrefix("   ") }.compactMap
      {
        $0.split(whereSeparator: { $0 == " " || $0 == "," }).first
      }
      return names.flatMap { below(words + [String($0)]) }
    }
    return below([]) + [["coverage", "merge"]]
  }()

  @Test func `the help lists the subcommands`() {
    let names = Set(Self.commands.map { $0.joined(separator: " ") })
    #expect(names.isSuperset(of: ["serve", "verify", "coverage", "report merge", "lint", "schema check", "doctor"]))
  }

  @Test(arguments: commands) func `every help has two examples with its own options, and a page of the documentation`(
    _ command: [String]
  ) throws {
    let help = try Command.run(Command.path, command + ["--help"]).output
    let name = "understudy " + command.joined(separator: " ")
    let examples = Self.lines(of: "EXAMPLES", in: help)
    #expect(examples.count == 2, "\(help)")
    for example in examples {
      #expect(example.hasPrefix(name))
      let words = example.split(separator: " ").prefix { $0 != "--" }
      for option in words where option.hasPrefix("--") {
        #expect(help.contains(" \(option) ") || help.contains(" \(option)\n"), "\(option) of `\(example)`")
      }
    }
    let place = try #require(Self.lines(of: "DOCUMENTATION", in: help).first)
    #expect(place.hasPrefix("man understudy, ") && place.hasSuffix(" of the sources"), "\(place)")
    let page = place.dropFirst("man understudy, ".count).dropLast(" of the sources".count)
    #expect(FileManager.default.fileExists(atPath: Project.path(String(page))))
  }

  @Test func `the options of a long help are in sections`() throws {
    let help = try Command.run("verify", "--help").output
    #expect(Self.lines(of: "LIVE SERVER", in: help).contains { $0.hasPrefix("--live <url>") })
    #expect(Self.lines(of: "LIVE SERVER", in: help).contains { $0.hasPrefix("--seed") })
    #expect(Self.lines(of: "RECORDINGS", in: help).contains { $0.hasPrefix("--har") })
    #expect(Self.lines(of: "OUTPUT", in: help).contains { $0.hasPrefix("--report") })
    let serve = try Command.run("serve", "--help").output
    #expect(Self.lines(of: "ANSWERS", in: serve).contains { $0.hasPrefix("--force") })
    #expect(Self.lines(of: "ANSWERS", in: serve).contains { $0.hasPrefix("--seed") })
    #expect(Self.lines(of: "NETWORK", in: serve).contains { $0.hasPrefix("-p, --port") })
    let fetch = try Command.run("fetch", "--help").output
    #expect(Self.lines(of: "NETWORK", in: fetch).contains { $0.hasPrefix("--cacert <file>") })
    #expect(Self.lines(of: "OPTIONS", in: fetch).contains { $0.hasPrefix("--header <name: value>") })
    let sample = try Command.run("schema", "sample", "--help").output
    #expect(Self.lines(of: "OPTIONS", in: sample).contains { $0.hasPrefix("--count <count>") })
    #expect(Self.lines(of: "OPTIONS", in: sample).contains { $0.hasPrefix("--seed <text>") })
  }

  @Test(arguments: [["coverage", "--help"], ["help", "coverage"], ["coverage", "--har", "a.har", "-h"]])
  func `the help of coverage has the options of its default subcommand`(_ arguments: [String]) throws {
    let result = try Command.run(Command.path, arguments)
    #expect(result.code == 0)
    #expect(result.output.contains("USAGE: understudy coverage [<spec> ...]"), "\(result.output)")
    #expect(result.output.contains("understudy coverage merge <file> ..."))
    #expect(Self.lines(of: "WHAT FAILS", in: result.output).contains { $0.hasPrefix("--min-coverage") })
    #expect(Self.lines(of: "RECORDINGS", in: result.output).contains { $0.hasPrefix("--har") })
  }

  @Test func `the program, its completions, its manual page and the documentation are installed`() throws {
    try withTemporaryFolder { (folder) throws in
      let script = Project.path("Scripts/install")
      let result = try Command.run(script, [Command.path, folder + "/usr"])
      #expect(result.code == 0, "\(result.error)")
      let installed = try FileManager.default.subpathsOfDirectory(atPath: folder + "/usr").sorted()
      for file in [
        "bin/understudy", "share/bash-completion/completions/understudy", "share/doc/understudy/docs/ci.md",
        "share/fish/vendor_completions.d/understudy.fish", "share/man/man1/understudy.1",
        "share/zsh/site-functions/_understudy",
      ] {
        #expect(installed.contains(file))
      }
      #expect(try Command.run(folder + "/usr/bin/understudy", ["--version"]).output == "0.1.0\n")
      let help = try Command.run(folder + "/usr/bin/understudy", ["serve", "--help"]).output
      #expect(
        Self.lines(of: "DOCUMENTATION", in: help)
          == ["man understudy, \(folder)/usr/share/doc/understudy/docs/serve.md"])
      let page = try String(contentsOfFile: folder + "/usr/share/man/man1/understudy.1", encoding: .utf8)
      #expect(page.hasPrefix(".TH UNDERSTUDY 1 "))
      #expect(page.contains("\n.SH UNDERSTUDY COVERAGE MERGE\n"))
      #expect(page.contains("\n.TP\n.B \\-\\-live <url>\nValidate the server at this base URL.\n"), "\(page)")
      let completions = folder + "/usr/share/bash-completion/completions/understudy"
      let syntax = try Command.run("/bin/bash", ["-n", completions])
      #expect(syntax.code == 0, "\(syntax.error)")
    }
  }

  private static func lines(of section: String, in help: String) -> [String] {
    let lines = help.components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: section + ":") else { return [] }
    return lines[(start + 1)...].prefix { !$0.isEmpty }.map { String($0.drop { $0 == " " }) }
  }
}
