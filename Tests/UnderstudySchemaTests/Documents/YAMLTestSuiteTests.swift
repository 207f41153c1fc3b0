import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The official suite of YAML cases; `YAMLTestSuiteDifferences` says where and why we read one otherwise.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct YAMLTestSuiteTests {
  @Test func `every case of the suite is read as required or differs for a known reason`() throws {
    let known = YAMLTestSuiteDifferences.table
    var seen: Set<String> = []
    var agreeing = 0
    var unvalidated = 0
    for id in try cases("") {
      switch try difference(id) {
      case .none: unvalidated += 1
      case .some(let difference?):
        seen.insert(id)
        #expect(known[id] != nil, "\(id): \(difference)")
      case .some(nil):
        agreeing += 1
        #expect(known[id] == nil, "\(id) agrees: take it out of the table")
      }
    }
    #expect(Set(known.keys).subtracting(seen).isEmpty, "the table names cases that agree or do not exist")
    print(
      "yaml-test-suite: \(agreeing) agree, \(seen.count) differ for a reason, \(unvalidated) have no JSON to compare with"
    )
    #expect(agreeing > 250)
  }

  private func path(_ id: String) -> String { Corpora.path("yaml+yaml-test-suite/" + id) }

  /// The folders that hold an `in.yaml`: `229Q`, `9MQT/00`.
  private func cases(_ folder: String) throws -> [String] {
    let entries = try FileSystem.list(path(folder))
    if entries.contains(where: { $0.name == "in.yaml" }) { return [folder] }
    return try entries.filter(\.isFolder).flatMap { try cases(folder.isEmpty ? $0.name : folder + "/" + $0.name) }
  }

  /// How we differ, in words; the inner `nil` for agreement, the outer one when the suite gives nothing to compare
  /// with.
  private func difference(_ id: String) throws -> String?? {
    let source = try FileSystem.read(path(id) + "/in.yaml")
    let result = Result { () throws(TextProblem) in try YAMLReader.parse(source) }
    if FileSystem.exists(path(id) + "/error") {
      guard case .success(let document) = result else { return .some(nil) }
      return "read \(JSONWriter.text(document.root)), expected an error"
    }
    guard FileSystem.exists(path(id) + "/in.json") else { return nil }
    let json = try FileSystem.read(path(id) + "/in.json")
    switch result {
    case .failure(let problem): return problem.message
    case .success(let document):
      guard let expected = try? JSONParser.parse(json) else { return "read one value, expected none or several" }
      let isSame = document.root == expected.root
      return .some(isSame ? nil : "read \(JSONWriter.text(document.root)), expected \(JSONWriter.text(expected.root))")
    }
  }
}
