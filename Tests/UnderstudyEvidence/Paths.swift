import ArgumentParser
import UnderstudyContract

/// Runs the JSONPath Compliance Test Suite (RFC 9535), and prints the failures and the counts.
struct Paths: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paths", abstract: "Run the JSONPath Compliance Test Suite.")

  @Argument(help: "The path of cts.json.") var file: String

  func run() throws {
    let tests = try TextDocument.read(FileSystem.read(file)).root["tests"]?.array ?? []
    var counts = (valid: 0, invalid: 0, paths: 0, failed: 0)
    for test in tests {
      let (name, selector) = (test["name"]?.string ?? "", test["selector"]?.string ?? "")
      let path = try? JSONPath(selector)
      if test["invalid_selector"]?.bool == true {
        counts.invalid += 1
        if path != nil { fail("\(name): `\(selector)` is invalid, and was accepted", &counts.failed) }
        continue
      }
      counts.valid += 1
      guard let path, let nodes = test["document"].flatMap({ path.nodes(in: $0) }) else {
        fail("\(name): `\(selector)` was refused", &counts.failed)
        continue
      }
      let results = test["results"]?.array ?? test["result"].map { [$0] } ?? []
      if !results.contains(.array(nodes)) {
        fail("\(name): `\(selector)` selects \(JSONWriter.text(.array(nodes)))", &counts.failed)
      }
      guard let expected = test["results_paths"]?.array ?? test["result_paths"].map({ [$0] }) else { continue }
      counts.paths += 1
      // The document is a part of the suite's file.
      let depth = test["document"].map { JSONPath.normalized($0).utf8.count } ?? 0
      let paths = nodes.map {
        JSON.string("$" + String(decoding: JSONPath.normalized($0).utf8.dropFirst(depth), as: UTF8.self))
      }
      if !expected.contains(.array(paths)) {
        fail("\(name): `\(selector)` has the paths \(JSONWriter.text(.array(paths)))", &counts.failed)
      }
    }
    print(
      "\(tests.count) tests: \(counts.valid) of valid queries (\(counts.paths) with normalized paths), "
        + "\(counts.invalid) of invalid ones; \(counts.failed) failed")
    if counts.failed > 0 || tests.isEmpty { throw ExitCode.failure }
  }

  private func fail(_ message: String, _ count: inout Int) {
    count += 1
    print(message)
  }
}
