/// SHA-1 (FIPS 180-4, 6.1), which the handshake of WebSocket asks for. It protects nothing.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )
    let padded = padded(message)
    var schedule = [UInt32](repeating: 0, count: 80)
    for start in stride(from: 0, to: padded.count, by: 64) {
      for word in 0..<16 {
        let offset = start + word * 4
        schedule[word] = padded[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
      }
      for word in 16..<80 {
        let mixed = schedule[word - 3] ^ schedule[word - 8] ^ schedule[word - 14] ^ schedule[word - 16]
        schedule[word] = mixed << 1 | mixed >> 31
      }
      var (a, b, c, d, e) = state
      for (round, word) in schedule.enumerated() {
        let (mix, constant) = Self.round(round, b, c, d)
        let next = (a << 5 | a >> 27) &+ mix &+ e &+ constant &+ word
        (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
      }
      state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }
    return [state.0, state.1, state.2, state.3, state.4].flatMap { bytes(of: $0) }
  }

  private static func round(_ number: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (mix: UInt32, constant: UInt32) {
    switch number {
    case ..<20: (b & c | ~b & d, 0x5A82_7999)
    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
    case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
    default: (b ^ c ^ d, 0xCA62_C1D6)
    }
  }

  private static func padded(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let length = UInt64(message.count) * 8
    return padded + (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * $0)) }
  }

  private static func bytes(of word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
  }
}
