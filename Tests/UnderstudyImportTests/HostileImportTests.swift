import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyImport

/// Files that are made to harm.
struct HostileImportTests {
  private func imported(_ files: [String: String], _ path: String, _ tool: ForeignTool) throws -> ImportOutput {
    try withProject(files) { folder in
      let input = try ImportInput.read("\(folder)/\(path)")
      return ImportOutput(Importer.read([input], of: tool), name: tool.rawValue, title: tool.title)
    }
  }

  @Test(arguments: ["../secret.txt", "/etc/passwd", "a/../../secret.txt"])
  func `a body file is read within its folder alone`(name: String) throws {
    let mapping = """
      {"request": {"urlPath": "/a"}, "response": {"bodyFileName": "\(name)"}}
      """
    let output = try imported(
      ["wm/mappings/a.json": mapping, "wm/__files/a.txt": "mine", "wm/secret.txt": "secret"], "wm", .wiremock)
    #expect(output.files.isEmpty)
    #expect(output.remarks.map(\.feature) == ["body file"])
  }

  @Test func `the names of written files never leave the output folder`() throws {
    let mapping = """
      [{"name": "../../x", "scenarioName": "../../s", "request": {"urlPath": "/../../a"}, "response": {"base64Body": "AAEC"}}]
      """
    let output = try imported(["a.json": mapping], "a.json", .wiremock)
    #expect(!output.files.isEmpty)
    for file in output.files { #expect(!file.path.split(separator: "/").contains("..") && !file.path.hasPrefix("/")) }
  }

  @Test(arguments: ForeignTool.allCases)
  func `values of other types are remarks and no crash`(tool: ForeignTool) throws {
    let values = ["1", "null", "\"a\"", "[]", "{}", "[[]]", "true", "{\"a\": {}}"]
    let members = [
      "mappings", "routes", "item", "httpRequest", "interactions", "data", "request", "response", "httpResponse",
      "pairs",
    ]
    for member in members {
      for value in values {
        for text in [
          "{\"\(member)\": \(value)}", "{\"request\": \(value), \"response\": {\"\(member)\": \(value)}}",
          "{\"data\": {\"pairs\": [{\"request\": \(value), \"response\": \(value)}]}}",
          "{\"routes\": [{\"endpoint\": \(value), \"responses\": [\(value)]}]}",
          "{\"item\": [{\"request\": \(value), \"response\": [\(value)]}]}",
          "[{\"httpRequest\": \(value), \"httpResponse\": \(value), \"times\": \(value)}]",
          "{\"interactions\": [{\"request\": \(value), \"response\": \(value)}]}",
        ] {
          _ = try imported(["a.json": text], "a.json", tool)
        }
      }
    }
  }

  @Test func `deep folders and conditions end at a limit`() throws {
    let depth = 400
    let items = String(repeating: "{\"item\": [", count: depth) + String(repeating: "]}", count: depth)
    #expect(try imported(["a.json": "{\"item\": [\(items)]}"], "a.json", .postman).files.isEmpty)
    let pattern =
      String(repeating: "{\"not\": ", count: depth) + "{\"contains\": \"a\"}" + String(repeating: "}", count: depth)
    let mapping = "{\"request\": {\"urlPath\": \"/a\", \"bodyPatterns\": [\(pattern)]}, \"response\": {}}"
    let output = try imported(["a.json": mapping], "a.json", .wiremock)
    #expect(output.files.isEmpty)
    #expect(output.remarks.map(\.feature) == ["condition"])
  }
}
