import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy diff` of folders.
@Suite(.waitsForProcesses)
struct DiffFolderTests {
  private static let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")

  @Test func `folders are compared contract by contract in one report`() throws {
    let files = [
      "a/one.yaml": Shop.contract, "a/gone.yaml": Shop.contract, "a/notes.yaml": "a: 1",
      "a/.hidden.yaml": Shop.contract,
      "b/one.yaml": Self.changed, "b/sub/new.yaml": Shop.contract, "a/sub/one.yaml": Shop.contract,
      "b/sub/one.yaml": Shop.contract,
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "a", "b", in: folder)
      #expect(
        steady(result.output) == """
          gone.yaml
          b/gone.yaml: error: the contract `gone.yaml` was removed [diff.contract.removed]

          GET /pets/{id} 200
          b/one.yaml:15:82: error: response body `/name`: the type is now `integer`, was `string` [diff.response.type]
            15 |               schema: {type: object, required: [name], properties: {name: {type: integer}}}
               |                                                                                  ^^^^^^^
            a/one.yaml:15:82: note: before
              15 |               schema: {type: object, required: [name], properties: {name: {type: string}}}
                 |                                                                                  ^^^^^^
            note: for example, `{"name":1}` is valid now, and was not before

          sub/new.yaml
          b/sub/new.yaml: info: the contract `sub/new.yaml` was added [diff.contract.added]

          checked: 6 in 6 cases, N ms
          not validated: 0
          found: 2 errors, 0 warnings, 1 note
          target: a
          verdict: failed: 2 errors

          """)
      #expect(result.code == 1)
      let mixed = try Command.run("diff", "a", "b/one.yaml", in: folder)
      #expect(
        mixed.error == "error: a and b/one.yaml are a folder and a file: expected two files or two folders\n")
      #expect(mixed.code == 2)
    }
  }

  @Test func `a thousand contracts are one run with exact counts`() throws {
    var files: [String: String] = [:]
    for number in 0..<1_000 {
      let name = "team-\(number % 10)/service-\(number)/openapi.yaml"
      if number % 100 != 7 { files["old/\(name)"] = Shop.contract }
      if number % 100 != 9 { files["new/\(name)"] = number % 100 == 3 ? Self.changed : Shop.contract }
    }
    try withProject(files) { folder in
      let result = try Command.run("diff", "old", "new", "--report", "json=report.json", in: folder)
      #expect(
        steady(result.output).hasSuffix(
          """
          not validated: 0
          found: 20 errors, 0 warnings, 10 notes
          target: old
          verdict: failed: 20 errors

          """), "\(result.output.suffix(400))")
      // Ten contracts were removed and ten added; the others have a case for the contract and one for the operation.
      #expect(result.output.contains("\nchecked: 1980 in 1980 cases, "), "\(result.output.suffix(400))")
      #expect(result.code == 1)
      let text = try String(contentsOfFile: folder + "/report.json", encoding: .utf8)
      #expect(text.contains("team-3/service-103/openapi.yaml"))
      // The findings of equal contracts are told apart.
      let arguments = ["diff", "old", "new", "--baseline", "known.yaml"]
      #expect(try Command.run(Command.path, arguments + ["--update-baseline"], in: folder).code == 0)
      let known = try String(contentsOfFile: folder + "/known.yaml", encoding: .utf8)
      #expect(known.components(separatedBy: "\n- ").count == 31)
    }
  }

  @Test func `every contract that cannot be read is reported, and none counts as removed`() throws {
    let files = [
      "a/one.yaml": Shop.contract, "b/one.yaml": "openapi: 3.1.0\npaths: {\n", "a/two.yaml": Shop.contract,
      "b/two.yaml": Shop.referring(to: "#/nothing"), "a/three.yaml": Shop.contract, "b/three.yaml": Self.changed,
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "a", "b", in: folder)
      #expect(result.error.hasPrefix("b/one.yaml:3:1: error: "), "\(result.error)")
      #expect(result.error.contains("\nerror: b/one.yaml cannot be compared\n"), "\(result.error)")
      #expect(result.error.contains("\nerror: b/two.yaml cannot be compared\n"), "\(result.error)")
      #expect(result.error.hasSuffix("\nerror: 2 of 3 contracts cannot be compared\n"), "\(result.error)")
      #expect(result.output == "")
      #expect(result.code == 3)
    }
  }

  @Test func `folders without contracts have nothing to compare`() throws {
    try withProject(["a/notes.yaml": "a: 1", "b/notes.yaml": "a: 1"]) { folder in
      let result = try Command.run("diff", "a", "b", in: folder)
      #expect(result.error == "exit 4: nothing was checked; `--allow-empty` allows that\n")
      #expect(result.code == 4)
      #expect(try Command.run("diff", "a", "b", "--allow-empty", in: folder).code == 0)
    }
  }

  @Test func `links that lead in a circle end`() throws {
    try withProject(["a/one.yaml": Shop.contract, "b/one.yaml": Shop.contract]) { folder in
      for name in ["x", "y"] {
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/b/\(name)", withDestinationPath: ".")
      }
      let result = try Command.run("diff", "a", "b", in: folder)
      #expect(result.output.contains("found: 0 errors, 0 warnings, 0 notes\n"), "\(result.output)")
      #expect(result.code == 0)
    }
  }

  @Test func `a folder of a revision has the contracts of the folder on disk`() throws {
    let files = [
      "specs/one.yaml": Shop.contract, "specs/.github/two.yaml": Shop.contract, "specs/parts/three.json": "{}",
      "specs/sub dir/ünï.yaml": Shop.contract,
    ]
    try withGitProject(files) { project in
      let same = try project.diff("HEAD:specs", "specs")
      #expect(same.output.contains("checked: 4 in 4 cases, "), "\(same.output)\(same.error)")
      #expect(same.code == 0)
      try project.write(Self.changed, to: "specs/sub dir/ünï.yaml")
      let changed = try project.diff(":specs", "specs/", "--format", "github")
      #expect(changed.output.hasPrefix("::error file=specs/sub dir/ünï.yaml,line=15,"), "\(changed.output)")
      #expect(changed.code == 1)
    }
  }
}
