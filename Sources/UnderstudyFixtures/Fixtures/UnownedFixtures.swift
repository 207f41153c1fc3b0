/// Finds folders of fixtures that belong to no contract, and are therefore neither served nor verified.
package enum UnownedFixtures {
  /// A folder is reported if it has the form `<contract>/<operationId>/<status>...`, or almost the name of a contract.
  /// Other folders may have bodies that fixtures share. `root` has one folder of fixtures for each contract; with
  /// `isChoice`, the user chose some of the contracts, which may be why a folder has no owner.
  package static func findings(in root: String, owners: [String], isChoice: Bool = false) -> [Diagnostic] {
    let folders = ((try? FileSystem.list(root)) ?? []).filter(\.isFolder).map(\.name)
    return folders.filter { !isPutAside($0) && !isName($0, in: owners) }.compactMap { folder in
      let nearest = Suggestion.nearest(to: folder, among: owners)
      let path = Path.join(root, folder)
      guard nearest != nil || holdsFixtures(path) else { return nil }
      var finding = Diagnostic(
        .fixtureContractUnknown, "no contract is called `\(folder)`, so its fixtures are neither served nor verified",
        at: Location(path: path),
        help: nearest.map { "did you mean `\($0)`?" }
          ?? "list its contract in understudy.yaml, or give the folder a name that starts with `_`")
      if isChoice, nearest == nil { finding.severity = .warning }
      return finding
    }
  }

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
