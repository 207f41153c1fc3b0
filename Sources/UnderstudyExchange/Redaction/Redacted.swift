/// A value without secrets.
///
/// What prints, stores or sends a part of an exchange takes a redacted value, and only a `Redactor` makes one, so that a
/// value with its secrets does not reach an output.
package struct Redacted<Value> {
  package let value: Value

  /// Only the redactors of this module vouch for a value.
  init(_ value: Value) { self.value = value }

  /// Derives a value from this one. What else the derived value needs must come from redacted values as well.
  package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Redacted<Other> {
    Redacted<Other>(try transform(value))
  }

  /// Collects redacted values in a list.
  package static func list<Element>(_ elements: [Redacted<Element>]) -> Redacted where Value == [Element] {
    Redacted(elements.map(\.value))
  }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
