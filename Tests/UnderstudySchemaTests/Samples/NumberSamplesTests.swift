import Testing
import UnderstudySchema

@Suite struct NumberSamplesTests {
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

  private static let extremes = [
    "0", "-1", "1e-18", "9223372036854775807", "-9223372036854775808", "99999999999999999999999999999999999", "-1e35",
    "1e36", "170141183460469231731687303715884105727", "-1e400",
  ]

  @Test(
    arguments: ["integer", "number"], ["1", "1e-16", "3", "72057594037927937", "99999999999999999999999999999999999"])
  func `numbers at the limits of counting are made, varied and broken without overflow`(
    type: String, divisor: String
  ) throws {
    var samples = 0
    for least in Self.extremes {
      for most in Self.extremes {
        let schema = try SchemaUnderTest(
          #"{"type": "\#(type)", "exclusiveMinimum": \#(least), "maximum": \#(most), "multipleOf": \#(divisor)}"#)
        guard let sample = schema.sample(seed: "1") else { continue }
        samples += 1
        #expect(schema.accepts(sample))
        let generator = SampleGenerator(schemas: schema.library, seed: "1")
        #expect(generator.boundaries(of: schema.node, direction: .either).allSatisfy { schema.accepts($0.value) })
        #expect(schema.invalidSamples().allSatisfy { !schema.accepts($0.value) })
      }
    }
    #expect(samples > 0)
  }
}
