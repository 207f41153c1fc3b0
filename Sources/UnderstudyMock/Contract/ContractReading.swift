/// How contracts are read: settings of `understudy.yaml` that change what they say.
package struct ContractReading: Sendable, Equatable {
  package var references = ReferenceMap()
  package var formats = FormatAssertion.byDialect

  package init() {}
}
