import Testing
import Understudy

@Suite struct NumberTests {
  /// Bounds, and the number nearest to 1 (integers) or 1.5 that they allow.
  static let cases: [(schema: String, number: String)] = [
    (#"{"type": "number", "minimum": 0.1, "maximum": 0.3, "multipleOf": 0.1}"#, "0.3"),
    (#"{"type": "number", "multipleOf": 0.01}"#, "1.5"),
    (#"{"type": "integer", "multipleOf": 2.5}"#, "5"),
    (#"{"type": "integer", "minimum": -8, "maximum": -6, "multipleOf": 7}"#, "-7"),
    (#"{"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 3}"#, "2"),
    (#"{"type": "integer", "minimum": 1.5}"#, "2"),
    (#"{"type": "integer", "minimum": 1e20}"#, "100000000000000000000"),
    (#"{"type": "integer", "minimum": -1e300, "maximum": -5}"#, "-5"),
    (#"{"type": "integer", "format": "int32", "minimum": 2147483647}"#, "2147483647"),
    (#"{"type": "integer", "minimum": -9223372036854775808, "maximum": -9223372036854775808}"#, "-9223372036854775808"),
    (#"{"type": "number", "minimum": 0.1234567890123456, "maximum": 0.1234567890123456}"#, "0.1234567890123456"),
    (#"{"type": "number", "maximum": 1e-300, "minimum": 1e-300}"#, "1e-300"),
  ]

  @Test(arguments: cases)
  func `the nearest allowed number is exact`(schema: String, number: String) throws {
    #expect(try SchemaUnderTest(schema).text() == number)
  }

  @Test func `elements of an array count up`() throws {
    let schema = try SchemaUnderTest(
      #"{"type": "array", "minItems": 3, "items": {"type": "number", "multipleOf": 0.5, "minimum": 1}}"#)
    #expect(schema.text() == "[1.5,2,2.5]")
  }
}
