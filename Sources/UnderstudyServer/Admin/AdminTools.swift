package import UnderstudyMock

/// Functions of the admin API that need more than a mock.
package struct AdminTools: Sendable {
  /// Writes the response of an exchange as a fixture with a name, or as the default of its cell.
  package typealias FixtureWriter =
    @Sendable (
      ServedRequest, _ earlier: [ServedRequest], _ name: String?, Mock, RedactionSettings, WriteMode
    ) throws(LaneProblem) -> SavedFixture
  /// A request of an operation with a value for every part, as members of an object.
  package typealias RequestForm = @Sendable (MockOperation, _ seed: String) -> [(String, JSON?)]

  /// Whether a fixture that exists is replaced.
  package enum WriteMode: Sendable { case creating, replacing }

  package struct SavedFixture: Sendable {
    /// `readChat/200.empty`
    let label: String
    let paths: [String]

    package init(label: String, paths: [String]) {
      self.label = label
      self.paths = paths
    }
  }

  let saveFixture: FixtureWriter
  let requestForm: RequestForm

  package init(saveFixture: @escaping FixtureWriter, requestForm: @escaping RequestForm) {
    self.saveFixture = saveFixture
    self.requestForm = requestForm
  }
}
