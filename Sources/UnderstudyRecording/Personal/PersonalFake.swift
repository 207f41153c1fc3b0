/// Fakes that replace personal data. A value has the same fake in every file and every recording.
enum PersonalFake {
  /// A value of the same form.
  static func of(_ value: String, _ kind: PersonalKind) -> String {
    var random = Random(state: StableHash.of([kind.rawValue, value]))
    switch kind {
    case .phone: return phone(value, &random)
    case .email: return "user\(random.next(90_000) + 10_000)@example.com"
    case .birthday: return date(value, &random)
    case .name: return name(value, &random)
    case .address: return "\(random.next(99) + 1) Example Street"
    case .text: return text(value, &random)
    case .path: return path(value)
    case .traceback:
      let lines = path(value).split(separator: "\n", omittingEmptySubsequences: false)
      let isPython = value.contains("Traceback (most recent call last)")
      let message = isPython ? lines.last { !$0.isEmpty } : lines.first
      return message.map(String.init) ?? ""
    }
  }

  /// Every digit after the first three is another one; the signs stay.
  private static func phone(_ value: String, _ random: inout Random) -> String {
    var seen = 0
    return String(
      decoding: value.utf8.map { byte -> UInt8 in
        guard 48...57 ~= byte else { return byte }
        seen += 1
        return seen <= 3 ? byte : 48 + UInt8(random.next(10))
      }, as: UTF8.self)
  }

  /// Another day of the same year; a time after it stays.
  private static func date(_ value: String, _ random: inout Random) -> String {
    var bytes = Array(value.utf8)
    let places = bytes.indices.filter { 48...57 ~= bytes[$0] }.prefix(8)
    guard places.count >= 6 else { return value }
    let month = random.next(12) + 1
    // `09.04.2001` and `04/09/2001` have the year last; a day up to 12 is a month too.
    let hasYearLast = bytes.firstIndex { !(48...57 ~= $0) } == 2
    let day = random.next(hasYearLast ? 12 : 28) + 1
    let changed = hasYearLast ? places.prefix(4) : places.suffix(4)
    for (place, digit) in zip(changed, [month / 10, month % 10, day / 10, day % 10]) {
      bytes[place] = 48 + UInt8(digit)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let latin = [
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim", "Lea", "Max", "Nina", "Otto",
    "Pia",
  ]
  private static let families = [
    "Archer", "Baker", "Carter", "Dyer", "Farmer", "Glover", "Hunter", "Mason", "Miller", "Porter",
  ]
  private static let hangul = ["가람", "나래", "다솜", "라온", "마루", "바다", "사랑", "아라", "하늘", "한별"]

  /// As many words, in the same script.
  private static func name(_ value: String, _ random: inout Random) -> String {
    if value.unicodeScalars.contains(where: { 0xAC00...0xD7A3 ~= $0.value }) {
      return hangul[random.next(hangul.count)] + String(random.next(900) + 100)
    }
    let words = value.split(separator: " ").count
    guard words > 1 else { return latin[random.next(latin.count)] + String(random.next(900) + 100) }
    return latin[random.next(latin.count)] + " " + families[random.next(families.count)]
  }

  private static let words = ["lorem", "ipsum", "dolor", "sit", "amet", "elit", "sed", "magna", "aliqua", "enim"]

  /// About as long, since a limit of the contract may count the characters.
  private static func text(_ value: String, _ random: inout Random) -> String {
    let length = min(value.unicodeScalars.count, 1_000)
    var text = ""
    while text.utf8.count < length { text += (text.isEmpty ? "" : " ") + words[random.next(words.count)] }
    text = String(text.utf8.prefix(length)) ?? text
    // No blank at the end, which a pattern may forbid.
    return text.utf8.last == 0x20 ? String(text.dropLast()) + "s" : text
  }

  /// The same path with `user` as the name of each user.
  private static func path(_ value: String) -> String {
    let bytes = Array(value.utf8)
    var edits = TextEdits(bytes)
    for user in LocalPath.users(in: bytes) { edits.replace(user, with: Array("user".utf8)) }
    return edits.result.map { String(decoding: $0, as: UTF8.self) } ?? value
  }

  private struct Random {
    var state: UInt64

    mutating func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }
}
