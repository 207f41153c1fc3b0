/// The direction of a value, on which the meaning of `readOnly`, `writeOnly` and `required` depends.
package enum Direction: Sendable, Hashable {
  /// From the client: `readOnly` properties are not required.
  case request
  /// From the server: `writeOnly` properties are not required.
  case response
  /// Unknown: `required` holds as written.
  case either
}
