/// A value without secrets, which outputs such as the log, the journal and recordings require. Only a `Redactor`
/// creates them, so the compiler keeps a value with its secrets out of every output.
package struct Redacted<Value> {
  package let value: Value

  /// Internal, so that only the redactors of this module create redacted values.
  init(_ value: Value) { self.value = value }

  /// Derives a value from this one. What else the derived value needs must come from redacted values as well.
  package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Redacted<Other> {
    Redacted<Other>(try transform(value))
  }

  package static func list<Element>(_ elements: [Redacted<Element>]) -> Redacted where Value == [Element] {
    Redacted(elements.map(\.value))
  }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
