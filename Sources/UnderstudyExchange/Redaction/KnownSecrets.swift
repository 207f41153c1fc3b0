/// The secrets of a recording and their placeholders, numbered in the order of appearance.
struct KnownSecrets: Sendable {
  private var placeholders: [[UInt8]: [UInt8]] = [:]
  /// All that were made, and those of numbers: some of them look like secrets themselves.
  private(set) var made: Set<[UInt8]> = []
  /// The secrets to search for, by their last bytes.
  private var byEnding: [UInt64: [[UInt8]]] = [:]
  /// Whether a secret may end so: most positions of a text need no look at the table.
  private var endings: [Bool] = []
  let style: Redactor.Style
  var isTyped: Bool { if case .typed = style { true } else { false } }

  /// Further secrets are replaced, but neither numbered nor searched for.
  static let limit = 100_000
  /// Longer secrets are replaced only in their place.
  static let lengthLimit = 65_536
  private static let window = 6
  /// Secrets that end alike and are searched for: each of them is compared where a text has that ending.
  private static let endingLimit = 256

  /// - Parameter placeholders: Those of another redactor.
  init(_ style: Redactor.Style, placeholders: Set<[UInt8]> = []) { (self.style, made) = (style, placeholders) }

  var isEmpty: Bool { byEnding.isEmpty }

  enum Search: Sendable {
    /// Everywhere, unless it is short or a common word.
    case everywhere
    /// Everywhere, if it can hardly be the value of a setting.
    case ifUnusual
    case nowhere
  }

  /// The placeholder of a secret, the same each time.
  mutating func placeholder(for secret: ArraySlice<UInt8>, _ search: Search = .everywhere) -> [UInt8] {
    let key = Array(secret)
    if let known = placeholders[key] { return known }
    guard placeholders.count < Self.limit, key.count <= Self.lengthLimit else { return make(secret, Self.limit + 1) }
    let placeholder = make(secret, placeholders.count + 1)
    placeholders[key] = placeholder
    made.insert(placeholder)
    if Self.isSearched(secret, search) {
      let ending = Self.ending(of: key)
      guard byEnding[ending, default: []].count < Self.endingLimit else { return placeholder }
      byEnding[ending, default: []].append(key)
      if endings.isEmpty { endings = [Bool](repeating: false, count: 1 << 16) }
      endings[Self.slot(ending)] = true
    }
    return placeholder
  }

  private static func isSearched(_ secret: ArraySlice<UInt8>, _ search: Search) -> Bool {
    switch search {
    case .everywhere: isSearchable(secret)
    case .ifUnusual: isUnusual(secret)
    case .nowhere: false
    }
  }

  private func make(_ secret: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
    switch style {
    case .typed: Placeholder.make(for: secret, number)
    case .marker: Array(Placeholder.marker.utf8)
    case .numbered(let numbers): numbers.marker(of: Array(secret))
    }
  }

  /// The placeholder of a secret that is a number, the same each time.
  mutating func number(for secret: ArraySlice<UInt8>) -> [UInt8] {
    let placeholder = placeholder(for: secret)
    guard isTyped else { return placeholder }
    let number = Int(String(decoding: placeholder.suffix(9).drop { !(48...57 ~= $0) }, as: UTF8.self)) ?? 0
    let digits = Placeholder.number(for: secret, number)
    made.insert(digits)
    return digits
  }

  /// The occurrences of known secrets from left to right; of two that overlap, the first to end, then the longest.
  func occurrences(in bytes: ArraySlice<UInt8>) -> [(range: Range<Int>, placeholder: [UInt8])] {
    guard !byEnding.isEmpty, bytes.count >= Self.window else { return [] }
    var found: [(range: Range<Int>, placeholder: [UInt8])] = []
    var ending: UInt64 = 0
    var from = bytes.startIndex
    for position in bytes.indices {
      ending = (ending << 8 | UInt64(bytes[position])) & 0xFFFF_FFFF_FFFF
      guard endings[Self.slot(ending)], position - from + 1 >= Self.window, let candidates = byEnding[ending] else {
        continue
      }
      var best = 0
      for candidate in candidates where candidate.count > best {
        let start = position + 1 - candidate.count
        guard start >= from, bytes[start...position].elementsEqual(candidate),
          Self.stands(start..<position + 1, in: bytes)
        else { continue }
        best = candidate.count
      }
      guard best > 0 else { continue }
      let range = position + 1 - best..<position + 1
      found.append((range, placeholders[Array(bytes[range])] ?? []))
      from = position + 1
    }
    return found
  }

  private static func ending(of secret: [UInt8]) -> UInt64 { secret.suffix(window).reduce(0) { $0 << 8 | UInt64($1) } }

  private static func slot(_ ending: UInt64) -> Int {
    Int(truncatingIfNeeded: (ending &* 0x9E37_79B9_7F4A_7C15) >> 48)
  }

  /// Whether an occurrence stands alone, outside of a longer word; a long secret may stand inside one.
  private static func stands(_ range: Range<Int>, in bytes: ArraySlice<UInt8>) -> Bool {
    guard range.count < 12 else { return true }
    if range.lowerBound > bytes.startIndex, Entropy.isAlphanumeric(bytes[range.lowerBound - 1]) { return false }
    return range.upperBound == bytes.endIndex || !Entropy.isAlphanumeric(bytes[range.upperBound])
  }

  /// Whether a secret differs from the words and numbers of other places.
  private static func isSearchable(_ secret: ArraySlice<UInt8>) -> Bool {
    guard secret.count >= window else { return false }
    let counts = Entropy.Counts(secret)
    // Words of six letters are common in messages and in other fields.
    if counts.digits == secret.count || counts.lower + counts.upper == secret.count, secret.count < 8 { return false }
    return !commonWords.contains(FieldSyntax.lowercased(secret.prefix(20)))
  }

  /// The same for a secret that may be a setting: a cookie `theme=compact`.
  private static func isUnusual(_ secret: ArraySlice<UInt8>) -> Bool {
    guard secret.count >= 8, isSearchable(secret) else { return false }
    let counts = Entropy.Counts(secret)
    return counts.digits > 0 && counts.lower + counts.upper > 0 || secret.count >= 16
  }

  private static let commonWords: Set<String> = [
    "password", "passwords", "secret", "secrets", "string", "strings", "example", "examples", "default", "bearer",
    "session",
    "cookie", "cookies", "undefined", "unknown", "invalid", "missing", "required", "public", "private", "account",
    "number",
    "object", "integer", "boolean", "access", "refresh", "testing", "sample", "client", "server", "current", "enabled",
    "disabled", "optional", "expired", "message", "accept", "accepted", "english", "german", "compact", "application",
    "administrator", "understudy", "username", "authorization", "authentication", "unauthorized", "forbidden",
  ]
}
