/// A hash that is the same on every machine and in every run, unlike Swift's own.
package enum StableHash {
  /// FNV-1a over the parts, each followed by a byte that does not occur in UTF-8.
  package static func of(_ parts: [String]) -> UInt64 {
    var hash = start
    for part in parts { hash = fold([0xFF], onto: fold(part.utf8, onto: hash)) }
    // The low bits of FNV mix badly for short texts.
    return hash ^ (hash >> 32)
  }

  /// The hash of an empty sequence.
  package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// FNV-1a over some bytes, from the hash of the bytes before them.
  package static func fold(_ bytes: some Sequence<UInt8>, onto start: UInt64) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
