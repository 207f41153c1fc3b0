import Testing
import UnderstudySchema

struct UTF8EqualityTests {
  @Test(arguments: 0...40) func `texts with equal bytes are equal`(count: Int) {
    let text = (0..<count).map { UInt8($0) }
    #expect(isSame(text, text.map { $0 }))
    for position in text.indices {
      var other = text
      other[position] ^= 0x80
      #expect(!isSame(text, other))
    }
  }

  @Test func `a prefix of a text is not equal to it`() {
    #expect(!isSame(Array("name".utf8), Array("names".utf8)))
    #expect(!isSame([], Array("n".utf8)))
  }

  private func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { utf8Equals(a, $0) } }
  }
}
