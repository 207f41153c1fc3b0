/// Scripts by their blocks, for the rules of host names.
enum Script {
  static func isGreek(_ scalar: Unicode.Scalar) -> Bool {
    0x370...0x3FF ~= scalar.value || 0x1F00...0x1FFF ~= scalar.value
  }

  static func isHebrew(_ scalar: Unicode.Scalar) -> Bool {
    0x590...0x5FF ~= scalar.value || 0xFB1D...0xFB4F ~= scalar.value
  }

  /// Hiragana, Katakana or Han, without the middle dot that all share.
  static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30FB, 0x30FC: false
    case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D, 0x1B000...0x1B16F: true
    case 0x2E80...0x2FDF, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xF900...0xFAFF, 0x20000...0x323AF:
      true
    default: false
    }
  }

  /// Letters of Arabic, Syriac and related scripts, which join in writing.
  static func isCursive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x620...0x64A, 0x66E...0x6D3, 0x6FA...0x77F, 0x7CA...0x7EA, 0x840...0x8C7: scalar.properties.isAlphabetic
    default: false
    }
  }

  /// Cursive letters that join to the next one; alef, dal, reh, waw and similar ones do not.
  static func joinsToTheLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x621...0x625, 0x627, 0x629, 0x62F...0x632, 0x648, 0x671...0x677, 0x688...0x699, 0x6C0...0x6CB, 0x6CD,
      0x6CF, 0x6D2...0x6D3, 0x6EE, 0x6EF, 0x710, 0x715...0x719, 0x71E, 0x728, 0x72A, 0x72C, 0x72F:
      false
    default: isCursive(scalar)
    }
  }
}
