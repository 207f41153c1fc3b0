import Testing
import UnderstudyMock

struct WirePairsTests {
  @Test(arguments: [
    ("a=1&a=2&b=3", ["1", "2"]), ("b=0&a=1&a=2", ["1", "2"]), ("a=1&b=3&a=2", ["1", "2"]), ("b=3", []), ("", []),
    ("&&=&a&a=&a==", ["", "", "="]), ("%61=x%26y&b=1&a=p+q", ["x&y", "p q"]), ("ab=1&ba=2&A=3", []),
  ])
  func `all values of a name are found, wherever they stand`(form: String, values: [String]) {
    #expect(WirePairs(form: Array(form.utf8)).texts(of: "a") == values)
  }

  @Test(arguments: [
    ("", []), ("&", []), ("=", []), ("a", ["a: "]), ("a=1&b=2", ["a: 1", "b: 2"]), ("a=b=c&&d", ["a: b=c", "d: "]),
    ("x=%41&%zz=1", ["x: A", "%zz: 1"]),
  ])
  func `a form and a query of one text hold the same names and values`(text: String, expected: [String]) {
    for pairs in [WirePairs(form: Array(text.utf8)), WirePairs(Query(Array(text.utf8)))] {
      #expect(pairs.names.map { "\($0): \(pairs.texts(of: $0).joined(separator: ", "))" } == expected)
    }
  }

  @Test func `each byte is read alike at every place of a form`() {
    for length in [1, 7, 8, 9, 16, 19] {
      for position in 0..<length {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "&") && byte != UInt8(ascii: "%") {
          var value = Array(repeating: UInt8(ascii: "b"), count: length)
          value[position] = byte
          let plain = byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
          var expected = value
          expected[position] = plain
          let texts = WirePairs(form: Array("a=".utf8) + value).texts(of: "a")
          #expect(texts == [String(decoding: expected, as: UTF8.self)], "\(byte) at \(position) of \(length)")
        }
        let (start, end) = (String(repeating: "b", count: position), String(repeating: "b", count: length - position))
        #expect(WirePairs(form: Array("a=\(start)%41\(end)".utf8)).texts(of: "a") == ["\(start)A\(end)"])
      }
    }
  }

  @Test func `pairs below a name are those whose decoded names begin with it and are longer`() {
    let pairs = WirePairs(form: Array("ab=1&a=2&abc=3&%61b%5Bx%5D=4&xab=5".utf8))
    #expect(pairs.items(below: "ab").map(\.name) == ["abc", "ab[x]"])
    #expect(pairs.items(below: "").count == 5)
    #expect(pairs.items(below: "abcd").isEmpty)
  }

  @Test func `values of a long form are found, and fields beyond the limit are reported`() {
    let short = Array((0..<40).map { "f\($0 % 20)=\($0)" }.joined(separator: "&").utf8)
    #expect(WirePairs(form: short).texts(of: "f7") == ["7", "27"])
    let full = Array(repeating: "a=1", count: Query.pairLimit).joined(separator: "&")
    #expect(!WirePairs(form: Array(full.utf8)).isTruncated)
    #expect(WirePairs(form: Array((full + "&a=1").utf8)).isTruncated)
    #expect(WirePairs(form: Array((full + "&a=1").utf8)).names.count == Query.pairLimit)
  }
}
