#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSON {
  /// The value as a `Decodable` type: `let pet: Pet = try json.decoded()`.
  ///
  /// - Parameter type: The type to decode.
  /// - Throws: `DecodingError` where the value does not fit the type.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(JSONWriter.bytes(self)))
  }
}
