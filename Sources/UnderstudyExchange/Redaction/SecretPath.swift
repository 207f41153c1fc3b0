/// Segments of paths that are credentials by the segments before them, on any host: a mock stands in for the service.
enum SecretPath {
  /// The maximum length of a searched path, in bytes, and the maximum number of its segments.
  static let lengthLimit = 512
  private static let segmentLimit = 32

  /// The tokens of bots and webhooks, and of links that reset a password.
  static func secrets(in path: ArraySlice<UInt8>) -> [Range<Int>] {
    let segments = path.prefix(lengthLimit).split(separator: UInt8(ascii: "/"), maxSplits: segmentLimit)
    // Most paths have no segment that looks like a token.
    guard segments.contains(where: mayBeToken) else { return [] }
    let found = segments.compactMap(telegram) + slack(segments) + reset(segments)
    return found.map { $0.startIndex..<$0.endIndex }
  }

  private static let tokenLength = 8

  /// Whether a segment is long enough for a token, and has letters and digits.
  private static func mayBeToken(_ segment: ArraySlice<UInt8>) -> Bool {
    guard segment.count >= tokenLength else { return false }
    let counts = Entropy.Counts(segment)
    return counts.digits > 0 && counts.lower + counts.upper > 0
  }

  /// `bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw` (Telegram Bot API, "Making requests").
  private static func telegram(_ segment: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard segment.starts(with: "bot".utf8) else { return nil }
    let credential = segment.dropFirst(3)
    let rest = credential.drop { 48...57 ~= $0 }
    guard rest.count < credential.count else { return nil }
    let token = rest.starts(with: ":".utf8) ? rest.dropFirst() : rest.dropFirst(3)
    guard rest.starts(with: ":".utf8) || FieldSyntax.equalIgnoringCase(rest.prefix(3), "%3a".utf8),
      token.count >= tokenLength, token.allSatisfy(TextScan.isWord)
    else { return nil }
    return credential
  }

  private static let slackNames: Set<String> = ["services", "workflows", "triggers"]

  /// `services/T00000000/B00000000/XXXXXXXX`: the segments after the ids of the workspace and the app.
  private static func slack(_ segments: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    guard let start = segments.firstIndex(where: { slackNames.contains(String(decoding: $0, as: UTF8.self)) }),
      segments.count > start + 3, isSlackID(segments[start + 1])
    else { return [] }
    return segments[(start + 3)...].filter { $0.count >= tokenLength }
  }

  /// `T00000000`
  private static func isSlackID(_ segment: ArraySlice<UInt8>) -> Bool {
    segment.count >= tokenLength && "TE".utf8.contains(segment[segment.startIndex])
      && segment.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 }
  }

  private static let passwords: Set<String> = ["password", "passwords", "passwort", "kennwort", "pwd"]
  private static let resets: Set<String> = ["reset", "recover", "recovery", "restore", "forgot", "forgotten", "lost"]

  /// `reset-password/c6h3kz-0a1b2c3d`: what looks like a token after such words. After `reset` alone, which resets counters
  /// as well, only a string that looks generated is one.
  private static func reset(_ segments: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    var (isReset, isPassword) = (false, false)
    return segments.filter { segment in
      let isToken = isPassword && mayBeToken(segment) || isReset && Entropy.looksGenerated(weaklyNamed: segment)
      if isToken { return true }
      let words = SecretNames.words(of: String(decoding: segment, as: UTF8.self))
      let hasReset = words.contains(where: resets.contains)
      isReset = isReset || hasReset
      isPassword = isPassword || words.contains(where: passwords.contains) && (hasReset || words.count == 1)
      return false
    }
  }
}
