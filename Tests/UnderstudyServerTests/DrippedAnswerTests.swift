import NIOCore
import Testing
import UnderstudyServer

struct DrippedAnswerTests {
  private static func pieces(_ bytes: Int, followedBy rest: Int? = nil) -> [Int] {
    func buffer(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 0x78, count: count) }
    var answer = DrippedAnswer(buffer(bytes), followedBy: rest.map(buffer))
    var sizes: [Int] = []
    while !answer.isEmpty { sizes.append(answer.next().readableBytes) }
    return sizes
  }

  @Test(arguments: [(1, 1), (20, 20), (21, 11), (100, 20), (1_000_003, 20)])
  func `an answer has at most twenty pieces, which are the whole of it`(bytes: Int, count: Int) {
    let pieces = Self.pieces(bytes)
    #expect(pieces.count == count)
    #expect(pieces.reduce(0, +) == bytes)
  }

  @Test func `a long body follows its head`() {
    #expect(Self.pieces(30, followedBy: 70) == Array(repeating: 5, count: 20))
  }

  @Test func `an empty answer has no piece`() { #expect(Self.pieces(0) == []) }
}
