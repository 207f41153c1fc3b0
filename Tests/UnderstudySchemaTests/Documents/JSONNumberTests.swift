import Testing
import UnderstudySchema

struct JSONNumberTests {
  /// Each is smaller than all that follow.
  static let ascending = [
    "-1e999999999999999999999", "-1e400", "-123.5", "-123", "-1", "-0.5", "-1e-400", "0", "1e-999999999999999999999",
    "1e-400",
    "0.099", "0.1", "0.5", "1", "1.5", "2", "9.99", "10", "9007199254740992", "9007199254740993", "1e400", "1.1e400",
    "1e999999999999999999999",
  ]

  @Test func `order is exact at any size`() throws {
    let numbers = try Self.ascending.map { try #require(JSONNumber($0)) }
    for (i, a) in numbers.enumerated() {
      for (j, b) in numbers.enumerated() {
        #expect((a < b) == (i < j), "\(a.spelling) < \(b.spelling)")
        #expect((a == b) == (i == j), "\(a.spelling) == \(b.spelling)")
      }
    }
  }

  @Test(arguments: [
    ("1", "1.0"), ("1", "1e0"), ("100", "1E2"), ("0.001", "1e-3"), ("0", "-0"), ("0", "0e999999999999999999999"),
    ("-1.50", "-15e-1"),
    ("1e400", "10e399"), ("1234567890123456789012", "1.234567890123456789012e21"),
  ])
  func `equality is by value`(_ a: String, _ b: String) throws {
    #expect(try #require(JSONNumber(a)) == #require(JSONNumber(b)))
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.5", nil), ("1e400", nil),
      ("1e999999999999999999999", nil),
      ("99999999999999999999", nil), ("1e-999999999999999999999", nil),
    ] as [(String, Int?)])
  func `integers in range are read in any spelling`(_ text: String, _ expected: Int?) throws {
    #expect(try #require(JSONNumber(text)).int == expected)
    #expect(try JSONParser.parse(Array(text.utf8)).root.int == expected)
  }

  @Test(arguments: [
    ("1.0", true), ("1e400", true), ("1.50e1", true), ("1.5", false), ("1e-1", false), ("0.0", true), ("10e-1", true),
  ])
  func `integers are recognised by value`(_ text: String, _ expected: Bool) throws {
    #expect(try #require(JSONNumber(text)).isInteger == expected)
  }

  @Test(arguments: ["", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "nan", "1 ", "١", "--1", "1.e1"])
  func `a text that is not a JSON number is refused`(_ text: String) { #expect(JSONNumber(text) == nil) }

  @Test func `a number beyond the range of doubles is infinite or zero as a double`() throws {
    #expect(try #require(JSONNumber("1e400")).double == .infinity)
    #expect(try #require(JSONNumber("1e-400")).double == 0)
    #expect(try #require(JSONNumber("1e999999999999999999999")).double == .infinity)
    #expect(try #require(JSONNumber("0.1")).double == 0.1)
  }

  @Test func `multiples of long numbers are found by long division`() throws {
    var state: UInt64 = 7
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 1
    }
    for _ in 0..<2_000 {
      let divisor = UInt128(next()) << 5 | 1 << 68 | 1
      // Small, large and next to a power of the base, where a guessed digit is too large.
      for factor in [UInt128(next() >> 20), UInt128(next() % 100), 1_000_000_000 - UInt128(next() % 3)] {
        let product = divisor * factor
        let number = try #require(JSONNumber("\(divisor)"))
        #expect(try #require(JSONNumber("\(product)")).isMultiple(of: number))
        #expect(try !#require(JSONNumber("\(product + 1)")).isMultiple(of: number))
        #expect(try !#require(JSONNumber("\(product + divisor - 1)")).isMultiple(of: number))
      }
    }
  }

  @Test(arguments: [
    ("999999999999999999999999999", "999999999999999999999999999", true),
    ("999999999999999999999999998", "999999999999999999999999999", false),
    ("1e60", "512e-3", true), ("1e60", "1152921504606846976", true), ("1e59", "1208925819614629174706176", false),
    ("1e80", "1208925819614629174706176", true), ("1e79", "1208925819614629174706176", false),
    ("500000000000000000000000000500000000000000000000000000", "500000000000000000000000000", true),
    ("500000000500000000000000000000500000000499999999999", "500000000500000000000000001", false),
    ("1000000000000000000000000001000000000", "1000000000000000001", false), ("0", "12345678901234567891", true),
  ])
  func `multiples are recognised by value`(_ value: String, _ divisor: String, _ expected: Bool) throws {
    #expect(try #require(JSONNumber(value)).isMultiple(of: try #require(JSONNumber(divisor))) == expected)
  }
}
