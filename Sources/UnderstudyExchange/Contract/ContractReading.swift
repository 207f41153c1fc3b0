/// How contracts are read: settings of `understudy.yaml` that change what they say.
package struct ContractReading: Sendable, Equatable {
  package var references = ReferenceMap()
  package var overlays = OverlaySettings()
  package var formats = FormatAssertion.byDialect
  /// The files that contracts and fixtures may name, in addition to the files of their project.
  package var access = FileAccess.none

  package init() {}
}
