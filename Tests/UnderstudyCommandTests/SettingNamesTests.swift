import Testing
import UnderstudyCommand
import UnderstudyTestSupport

/// The settings, by their declarations: the flag, the environment variable and the key in `understudy.yaml`.
@Suite(.waitsForProcesses)
struct SettingNamesTests {
  /// The keys of the config file, as the help of an unknown key lists them.
  private static func keys(below section: String) throws -> Set<String> {
    try withProject(["shop.yaml": Shop.contract, "understudy.yaml": section.replacing("KEY", with: "zzzzzzzz: 1")]) {
      folder in
      let error = try Command.run("routes", "shop.yaml", in: folder).error
      let list = try #require(error.firstMatch(of: /unknown key `zzzzzzzz`(?:.|\n)*?help: known: (.*)\n/)?.1)
      return Set(list.split(separator: ", ").map(String.init))
    }
  }

  @Test func `each key of a setting is read from understudy yaml`() throws {
    // A list of lists is no value of any setting.
    func lines(isLive: Bool, _ indent: String) -> [String] {
      SettingNames.all.filter { $0.isLive == isLive }.compactMap(\.key).map { "\(indent)\($0): [[]]" }
    }
    let general = lines(isLive: false, "")
    let file = general + ["verify:", "  live:"] + lines(isLive: true, "    ")
    let error = try withProject(["shop.yaml": Shop.contract, "understudy.yaml": file.joined(separator: "\n") + "\n"]) {
      folder in
      try Command.run("routes", "shop.yaml", in: folder).error
    }
    let found = Set(
      error.matches(of: /understudy\.yaml:(\d+):\d+: error: .* \[config\.invalid\]/).compactMap { Int($0.1) })
    #expect(found == Set(1...file.count).subtracting([general.count + 1, general.count + 2]), "\(error)")
    #expect(!error.contains("unknown key"), "\(error)")
  }

  @Test func `each flag with a key is the flag of a setting`() throws {
    let help = try Command.run("serve", "--help").output + Command.run("verify", "--help").output
    let flags = Set(help.matches(of: /--([a-z][a-z-]*[a-z])/).map { String($0.1) })
    for names in SettingNames.all {
      if let flag = names.flag { #expect(flags.contains(flag), "--\(flag)") }
    }
    let live = try Self.keys(below: "verify: {live: {KEY}}\n")
    let keys = try Self.keys(below: "KEY\n").union(live)
    let declared = SettingNames.all.compactMap(\.key)
    #expect(Set(declared).count == declared.count, "two settings have one key")
    #expect(keys.isSuperset(of: declared))
    #expect(live == Set(SettingNames.all.filter(\.isLive).compactMap(\.key)))
    #expect(flags.intersection(keys).subtracting(SettingNames.all.compactMap(\.flag)) == [])
  }

  /// Invalid texts, because a message about one of them names its source.
  @Test func `a flag takes precedence over the environment, and the environment over understudy yaml`() throws {
    var named: [String] = []
    for names in SettingNames.all {
      guard let flag = names.flag, let variable = names.variable, let key = names.key else { continue }
      let files = ["shop.yaml": Shop.contract, "understudy.yaml": "\(key): '@in file'\n"]
      try withProject(files) { folder in
        func error(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> String {
          // Nothing is served: the folder of the ready file does not exist.
          let arguments = ["serve", "shop.yaml", "--ready-file", "missing/ready"] + arguments
          return try Command.run(Command.path, arguments, in: folder, environment: environment).error
        }
        // The texts of hosts, ports and seeds are not named.
        guard try error().contains("`\(key): ") else { return }
        named.append(key)
        #expect(try error([], [variable: "@in variable"]).contains("`\(variable)=@in variable`"))
        #expect(try error(["--\(flag)", "@flag"], [variable: "@in variable"]).contains("`--\(flag) @flag`"))
      }
    }
    #expect(named == ["fixtures", "on-invalid", "network", "upstream", "fallback"])
  }

  @Test func `the documentation lists the three names of each setting of a mock`() throws {
    let lines = try Project.text("docs/serve.md").split(separator: "\n").drop { $0 != "## Options" }
    let rows = lines.filter { $0.hasPrefix("| ") }
    for names in SettingNames.all where !names.isLive {
      guard let flag = names.flag, let key = names.key else { continue }
      let row = rows.first { $0.split(separator: "|").first?.contains("`--\(flag)") == true }
      let cells = row?.split(separator: "|", omittingEmptySubsequences: false).map(String.init) ?? []
      guard cells.count > 3 else {
        Issue.record("docs/serve.md has no row for --\(flag)")
        continue
      }
      #expect(cells[2].contains(names.variable.map { "`\($0)`" } ?? " "), "--\(flag)")
      #expect(cells[3].contains("`\(key)`"), "--\(flag)")
    }
  }
}
