/// Which way a value travels; `readOnly` and `writeOnly` bend `required` by it.
package enum Direction: Sendable, Hashable {
  /// From the client: a `readOnly` property need not be there.
  case request
  /// From the server: a `writeOnly` property need not be there.
  case response
  /// Neither is known: `required` holds as it is written.
  case either
}
