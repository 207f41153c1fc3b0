/// The normal form of path segments, in which they are compared (RFC 3986, section 6.2.2).
///
/// `%XX` of an unreserved character is that character, other triplets have upper-case digits, and bytes that are not allowed
/// in a path are triplets. `%2F` and dot segments stay.
enum PathEncoding {
  static func normalised(_ segment: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(segment.count)
    normalise(segment) { byte, _ in bytes.append(byte) }
    return bytes
  }

  /// Calls `emit` with each byte of the normal form and the offset of its source.
  static func normalise(_ segment: some Collection<UInt8>, _ emit: (UInt8, Int) -> Void) {
    var rest = segment.makeIterator()
    var offset = 0
    var pending: [UInt8] = []
    while let byte = pending.isEmpty ? rest.next() : pending.removeFirst() {
      let start = offset
      offset += 1
      guard byte == UInt8(ascii: "%") else {
        isPlain(byte) ? emit(byte, start) : triplet(of: byte) { emit($0, start) }
        continue
      }
      while pending.count < 2, let next = rest.next() { pending.append(next) }
      guard pending.count >= 2, let high = PercentEncoding.hexValue(pending[0]),
        let low = PercentEncoding.hexValue(pending[1])
      else {
        // A `%` that begins no triplet is a literal (RFC 3986, 2.4); browsers send it as it is.
        triplet(of: byte) { emit($0, start) }
        continue
      }
      pending = []
      offset += 2
      let decoded = high << 4 | low
      PercentEncoding.isUnreserved(decoded) ? emit(decoded, start) : triplet(of: decoded) { emit($0, start) }
    }
  }

  /// Whether a byte is its own normal form: `pchar` without `%` (RFC 3986, section 3.3).
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "&")...UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: ";"), UInt8(ascii: "-"),
      UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  private static func triplet(of byte: UInt8, _ emit: (UInt8) -> Void) {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }
    emit(UInt8(ascii: "%"))
    emit(digit(byte >> 4))
    emit(digit(byte & 15))
  }
}
