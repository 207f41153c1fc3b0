/// Finds folders of fixtures that belong to no contract, and are therefore neither served nor verified.
package enum UnownedFixtures {
  /// Returns the folders of fixtures without a contract.
  ///
  /// A folder is reported if it has the form `<contract>/<operationId>/<status>...`, or almost the name of a contract.
  /// Other folders may have bodies that fixtures share. `root` has one folder of fixtures for each contract; with
  /// `isChoice`, the user chose some of the contracts, which may be why a folder has no owner.
  package static func findings(in root: String, owners: [String], isChoice: Bool = false) -> [Diagnostic] {
    let folders = ((try? FileSystem.list(root)) ?? []).filter(\.isFolder).map(\.name)
    var others: [String] = []
    var findings: [Diagnostic] = []
    for folder in folders where !isPutAside(folder) && !isName(folder, in: owners) {
      let nearest = Suggestion.nearest(to: folder, among: owners)
      let path = Path.join(root, folder)
      guard nearest != nil || holdsFixtures(path) else { continue }
      if isChoice, nearest == nil {
        others.append(folder)
      } else {
        findings.append(
          Diagnostic(
            .fixtureContractUnknown,
            "no contract is called `\(folder)`, so its fixtures are neither served nor verified",
            at: Location(path: path),
            help: nearest.map { "did you mean `\($0)`?" }
              ?? "list its contract in understudy.yaml, or give the folder a name that starts with `_`"))
      }
    }
    return findings + summary(of: others, in: root)
  }

  /// One warning about the folders of contracts that were not chosen.
  private static func summary(of folders: [String], in root: String) -> [Diagnostic] {
    guard !folders.isEmpty else { return [] }
    let names = folders.prefix(nameLimit).map { "`\($0)`" }.joined(separator: ", ")
    let rest = folders.count > nameLimit ? " and \(folders.count - nameLimit) more" : ""
    return [
      Diagnostic(
        .fixtureContractUnknown,
        "no chosen contract is called \(names)\(rest): their fixtures are neither served nor verified",
        at: Location(path: root), severity: .warning)
    ]
  }

  private static let nameLimit = 5

  private static func isPutAside(_ name: String) -> Bool { name.hasPrefix(".") || name.hasPrefix("_") }

  private static func isName(_ folder: String, in owners: [String]) -> Bool {
    owners.contains { $0.utf8.elementsEqual(folder.utf8) }
  }

  private static func holdsFixtures(_ folder: String) -> Bool {
    let operations = ((try? FileSystem.list(folder)) ?? []).filter { $0.isFolder && !isPutAside($0.name) }
    return operations.contains { operation in
      let files = (try? FileSystem.list(Path.join(folder, operation.name))) ?? []
      return files.contains { !$0.isFolder && FixtureFileName($0.name) != nil }
    }
  }
}
