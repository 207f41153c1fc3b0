import Testing
import Understudy

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
  func `integers in range are found whatever their spelling`(_ text: String, _ expected: Int?) throws {
    #expect(try #require(JSONNumber(text)).int == expected)
    #expect(try JSONParser.parse(Array(text.utf8)).root.int == expected)
  }

  @Test(arguments: [
    ("1.0", true), ("1e400", true), ("1.50e1", true), ("1.5", false), ("1e-1", false), ("0.0", true), ("10e-1", true),
  ])
  func `an integer is one by value`(_ text: String, _ expected: Bool) throws {
    #expect(try #require(JSONNumber(text)).isInteger == expected)
  }

  @Test(arguments: ["", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "nan", "1 ", "١", "--1", "1.e1"])
  func `what JSON does not spell so is no number`(_ text: String) { #expect(JSONNumber(text) == nil) }

  @Test func `what no double holds is infinite or zero as a double`() throws {
    #expect(try #require(JSONNumber("1e400")).double == .infinity)
    #expect(try #require(JSONNumber("1e-400")).double == 0)
    #expect(try #require(JSONNumber("1e999999999999999999999")).double == .infinity)
    #expect(try #require(JSONNumber("0.1")).double == 0.1)
  }
}
