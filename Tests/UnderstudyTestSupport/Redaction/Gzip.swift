/// Writes gzip without compression (RFC 1951, 3.2.4).
package enum Gzip {
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt32(bytes.count)
    var text: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1]
    text += little(count, 2)
    text += little(~count, 2)
    text += bytes
    text += little(checksum(bytes), 4)
    text += little(count, 4)
    return text
  }

  private static func little(_ value: UInt32, _ width: UInt32) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// CRC-32 (RFC 1952, 8).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
