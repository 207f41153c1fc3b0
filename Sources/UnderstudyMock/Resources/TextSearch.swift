/// A search for a string in others without regard to case, in linear time (Knuth, Morris, Pratt).
struct TextSearch {
  private let bytes: [UInt8]
  /// The lengths of the longest proper prefixes that are also suffixes, one for each prefix of the bytes.
  private let borders: [Int]

  init(_ text: String) {
    let bytes = Array(text.lowercased().utf8)
    var borders = [0]
    var matched = 0
    for byte in bytes.dropFirst() {
      while matched > 0, bytes[matched] != byte { matched = borders[matched - 1] }
      if bytes[matched] == byte { matched += 1 }
      borders.append(matched)
    }
    (self.bytes, self.borders) = (bytes, borders)
  }

  /// Whether another string contains the string.
  func finds(in text: String) -> Bool {
    guard !bytes.isEmpty else { return true }
    var matched = 0
    for byte in text.lowercased().utf8 {
      while matched > 0, bytes[matched] != byte { matched = borders[matched - 1] }
      if bytes[matched] == byte { matched += 1 }
      if matched == bytes.count { return true }
    }
    return false
  }
}
