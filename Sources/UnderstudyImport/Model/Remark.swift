/// A part of an imported file that was not carried over, or that behaves differently.
package struct Remark: Sendable {
  package enum Kind: String, Sendable {
    /// The part is missing in the written files.
    case lost
    /// The written files have the part, and a named difference.
    case differs
  }

  package let kind: Kind
  /// The name under which remarks are counted: `faker helper`, `proxy`.
  package let feature: String
  package let message: String
  package let location: Location

  init(_ kind: Kind, _ feature: String, _ message: String, at node: JSON) {
    (self.kind, self.feature, self.message) = (kind, feature, message)
    location = Location(start: node)
  }
}
