import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy diff`.
@Suite(.waitsForProcesses)
struct DiffTests {
  private static let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")
  private static let files = ["old.yaml": Shop.contract, "new.yaml": changed]

  @Test func `a break has its places in both versions and a value that shows it`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", in: folder)
      #expect(
        steady(result.output) == """
          GET /pets/{id} 200
          new.yaml:15:82: error: response body `/name`: the type is now `integer`, was `string` [diff.response.type]
            15 |               schema: {type: object, required: [name], properties: {name: {type: integer}}}
               |                                                                                  ^^^^^^^
            old.yaml:15:82: note: before
              15 |               schema: {type: object, required: [name], properties: {name: {type: string}}}
                 |                                                                                  ^^^^^^
            note: for example, `{"name":1}` is valid now, and was not before

          remark: the changes call for a new major version: `info.version` was 1, is 1
          checked: 2 in 2 cases, N ms
          not validated: 0
          found: 1 error, 0 warnings, 0 notes
          target: old.yaml
          verdict: failed: 1 error

          """)
      #expect(result.code == 1)
    }
  }

  @Test func `equal contracts pass, also as JSON`() throws {
    let json = """
      {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/pets": {"get": {"responses": \
      {"200": {"description": "OK", "content": {"application/json": {"schema": {"type": "string"}}}}}}}}}
      """
    let yaml = """
      openapi: 3.1.0
      info: {title: Shop, version: "1"}
      paths:
        /pets: {get: {responses: {"200": {description: OK, content: {application/json: {schema: {type: string}}}}}}}
      """
    try withProject(["a.json": json, "b.yaml": yaml]) { folder in
      let result = try Command.run("diff", "a.json", "b.yaml", in: folder)
      #expect(result.output.contains("found: 0 errors, 0 warnings, 0 notes\n"), "\(result.output)\(result.error)")
      #expect(result.code == 0)
    }
  }

  @Test func `a contract that cannot be read ends with its reason`() throws {
    try withProject(["a.yaml": Shop.contract, "b.yaml": Shop.referring(to: "#/nothing")]) { folder in
      let missing = try Command.run("diff", "a.yaml", "c.yaml", in: folder)
      #expect(missing.error.contains("c.yaml: error: cannot read the contract: no such file or folder"))
      #expect(missing.code == 3)
      let broken = try Command.run("diff", "a.yaml", "b.yaml", in: folder)
      #expect(broken.error.contains("error: b.yaml cannot be compared\n  help: repair its references first"))
      #expect(broken.code == 3)
    }
  }

  @Test func `different contracts are noted as such`() throws {
    try withProject(["a.yaml": Shop.contract, "b.yaml": Shop.contract.replacing("/pets/", with: "/shops/")]) { folder in
      let result = try Command.run("diff", "a.yaml", "b.yaml", in: folder)
      #expect(result.output.contains("remark: the versions of b have no operation in common"))
      let stripped = try Command.run(
        "diff", "a.yaml", "b.yaml", "--strip-prefix", "/pets", "--strip-prefix", "/shops", in: folder)
      #expect(stripped.code == 0, "\(stripped.output)")
    }
  }
}
