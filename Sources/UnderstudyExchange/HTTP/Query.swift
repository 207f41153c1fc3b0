/// A query or form body, split into pairs once and decoded on demand.
package struct Query: Sendable {
  /// Pairs beyond this number are ignored, and `isTruncated` is set.
  package static let pairLimit = 10_000

  package struct Pair: Sendable, Hashable {
    /// Byte ranges in `bytes`.
    package var name: Range<Int>
    package var value: Range<Int>
    /// Distinguishes `a=` from `a`.
    package var hasEquals: Bool
  }

  package let bytes: [UInt8]
  package let pairs: [Pair]
  package let isTruncated: Bool

  package init() { self.init([]) }

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var pairs: [Pair] = []
    if !bytes.isEmpty { pairs.reserveCapacity(Self.capacity(for: bytes)) }
    isTruncated = Self.split(bytes) { pairs.append($0) }
    self.pairs = pairs
  }

  /// Splits at `&`, each piece at its first `=`; pieces without name and value (`&&`, `=`) are dropped.
  /// - Returns: whether there are more pairs than the limit.
  static func split(_ bytes: [UInt8], _ body: (Pair) -> Void) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      var count = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
        let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "="))
        let pair = Pair(
          name: start..<(equals ?? end), value: (equals.map { $0 + 1 } ?? end)..<end, hasEquals: equals != nil)
        start = end + 1
        if pair.name.isEmpty, pair.value.isEmpty { continue }
        if count == pairLimit { return true }
        count += 1
        body(pair)
      }
      return false
    }
  }

  /// How many pairs there can be.
  static func capacity(for bytes: [UInt8]) -> Int {
    var separators = 0
    for byte in bytes where byte == UInt8(ascii: "&") { separators += 1 }
    return min(separators + 1, pairLimit)
  }

  package init(of target: String) {
    var target = target
    self.init(target.withUTF8 { bytes in RequestTarget(bytes).query.map { Array(bytes[$0]) } ?? [] })
  }

  /// The decoded name, `+` as space; `nil` unless it is percent-encoded UTF-8.
  package func name(of pair: Pair) -> String? { PercentEncoding.decode(bytes[pair.name], plusIsSpace: true) }

  /// The decoded value, `+` as space; `nil` unless it is percent-encoded UTF-8.
  package func value(of pair: Pair) -> String? { PercentEncoding.decode(bytes[pair.value], plusIsSpace: true) }

  /// The decoded names; a name that is not UTF-8 is empty.
  package var names: [String] { pairs.map { name(of: $0) ?? "" } }

  /// The decoded value of the first pair with a name; `nil` if there is none.
  package func first(named name: String) -> String? {
    pairs.first { self.name(of: $0) == name }.flatMap { value(of: $0) }
  }
}
