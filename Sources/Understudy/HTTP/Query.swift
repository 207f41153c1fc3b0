/// A query or form body, split into pairs once; nothing is decoded before somebody asks.
package struct Query: Sendable {
  /// Pairs beyond this number are not looked at, and `isTruncated` says so.
  package static let pairLimit = 10_000

  package struct Pair: Sendable, Hashable {
    /// Byte ranges in `bytes`.
    package var name: Range<Int>
    package var value: Range<Int>
    /// `a=` and `a` differ only here.
    package var hasEquals: Bool
  }

  package let bytes: [UInt8]
  package let pairs: [Pair]
  package let isTruncated: Bool

  package init() { self.init([]) }

  /// Splits at `&`, each piece at its first `=`; pieces without name and value (`&&`, `=`) are nothing.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var pairs: [Pair] = []
    if !bytes.isEmpty {
      pairs.reserveCapacity(min(bytes.count { $0 == UInt8(ascii: "&") } + 1, Self.pairLimit))
    }
    var isTruncated = false
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
      let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "="))
      let pair = Pair(
        name: start..<(equals ?? end), value: (equals.map { $0 + 1 } ?? end)..<end, hasEquals: equals != nil)
      start = end + 1
      if pair.name.isEmpty, pair.value.isEmpty { continue }
      if pairs.count == Self.pairLimit {
        isTruncated = true
        break
      }
      pairs.append(pair)
    }
    self.pairs = pairs
    self.isTruncated = isTruncated
  }

  /// The query of a raw request target.
  package init(of target: String) {
    var target = target
    self.init(target.withUTF8 { bytes in RequestTarget(bytes).query.map { Array(bytes[$0]) } ?? [] })
  }

  /// The decoded name, `+` as space; `nil` when it is no percent-encoded UTF-8.
  package func name(of pair: Pair) -> String? { PercentEncoding.decode(bytes[pair.name], plusIsSpace: true) }

  /// The decoded value, `+` as space; `nil` when it is no percent-encoded UTF-8.
  package func value(of pair: Pair) -> String? { PercentEncoding.decode(bytes[pair.value], plusIsSpace: true) }
}
