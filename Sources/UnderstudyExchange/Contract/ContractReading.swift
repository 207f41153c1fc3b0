/// How contracts are read: settings of `understudy.yaml` that change what they say.
package struct ContractReading: Sendable, Equatable {
  package var references = ReferenceMap()
  package var overlays = OverlaySettings()
  package var formats = FormatAssertion.byDialect
  /// The files that contracts and fixtures may name, in addition to the files of their project.
  package var access = FileAccess.none
  /// The location in the config file that lists the contract; `nil` for a contract of the command line.
  package var listing: Location?

  package init() {}

  /// The finding with the location that lists the contract, if the contract cannot be read.
  func noted(_ finding: Diagnostic) -> Diagnostic {
    guard finding.rule == .configUnreadable, let listing else { return finding }
    var finding = finding
    finding.notes.append(Diagnostic.Note("the contract is listed here", at: listing))
    return finding
  }
}
