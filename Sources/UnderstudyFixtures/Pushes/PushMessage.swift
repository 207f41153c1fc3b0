package import UnderstudyJSON

/// A push message that a scenario sends, from a file in `_push`.
package struct PushMessage: Sendable {
  /// The name of the file without the extension.
  package let name: String
  package let content: JSONValue
  /// The URL of the schema of all push messages: `#/components/schemas/Push`; `nil` if the contract has none.
  package let schema: String?
}
