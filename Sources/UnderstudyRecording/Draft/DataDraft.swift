/// Writes the contract that `serve` makes from a data file, to keep and to change.
package enum DataDraft {
  /// Returns `nil` for a contract that was read as it is.
  ///
  /// - Parameter title: The title of the contract; the name of the data by default.
  package static func yaml(of contract: CompiledContract, title: String? = nil) -> String? {
    guard contract.api.isData else { return nil }
    let info: JSON = ["title": .string(title ?? contract.name), "version": "0.1.0"]
    let members = contract.api.root.members.map { ($0.name, $0.name == "info" ? info : $0.value) }
    return YAMLText.of(.object(members))
  }
}
