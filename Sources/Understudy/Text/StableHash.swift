/// A hash that is the same on every machine and in every run, unlike Swift's own.
package enum StableHash {
  /// FNV-1a over the parts, each ended by a byte that no UTF-8 text has.
  package static func of(_ parts: [String]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
    }
    // The low bits of FNV mix badly for short texts.
    return hash ^ (hash >> 32)
  }
}
