import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The official suite of the JSON Schema organisation, every file of every draft that we know.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct JSONSchemaTestSuiteTests {
  @Test(arguments: SuiteFile.all.filter { !$0.isOptional })
  func `every required test passes`(file: SuiteFile) throws {
    #expect(try differences(of: file) == [])
  }

  @Test func `every optional test passes, except the listed ones`() throws {
    let found = try SuiteFile.all.filter(\.isOptional).flatMap { try differences(of: $0) }
    #expect(found.sorted() == SuiteFile.exceptions.map(\.test).sorted())
    #expect(SuiteFile.exceptions.count <= 1)
  }

  /// The tests that come out differently.
  private func differences(of file: SuiteFile) throws -> [String] {
    let dialect = try #require(SuiteFile.dialects[file.draft].flatMap { Dialect(uri: $0) })
    var found: [String] = []
    for group in try file.groups() {
      let library = SchemaLibrary(
        dialect: dialect, assertsFormats: file.promise == .formats ? .always : .never,
        assertsContent: file.promise == .content, load: { SuiteFile.remotes[$0] })
      // A document of its own, as the suite means it.
      let schema = JSON.make { $0.append(group.schema) }
      let compiled = library.schema(at: schema)
      let traced = SchemaLibrary(
        dialect: dialect, assertsFormats: file.promise == .formats ? .always : .never,
        assertsContent: file.promise == .content, traces: true, load: { SuiteFile.remotes[$0] }
      ).schema(at: schema)
      for test in group.tests {
        if compiled.accepts(test.data) != test.isValid { found.append(test.name) }
        // The entry points and the ways of linking must never disagree.
        if compiled.failures(test.data).isEmpty != compiled.accepts(test.data) {
          found.append(test.name + " (failures)")
        }
        if traced.accepts(test.data) != compiled.accepts(test.data) { found.append(test.name + " (traced)") }
      }
    }
    return found
  }
}
