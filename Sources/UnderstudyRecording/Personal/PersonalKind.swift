/// A kind of personal data, found by the name of a member and the shape of its value.
package enum PersonalKind: String, Sendable, CaseIterable {
  case phone, email, birthday, name, address
  case text = "free text"
  /// A path on the machine of a person: `/Users/alice/app.py`.
  case path = "local path"
  /// The stack of an error, which names files and perhaps values.
  case traceback

  /// The kind of a value, or `nil` for a value that is not personal. The `owner` of a member at the root is empty.
  static func of(
    _ value: String, named name: String, in owner: String = "", by formats: PersonalFormats = PersonalFormats()
  ) -> Self? {
    guard !value.isEmpty else { return nil }
    if isTraceback(value) { return .traceback }
    if !LocalPath.users(in: Array(value.utf8)).isEmpty { return .path }
    if isEmail(value) { return .email }
    if let kind = formats[name] { return kind }
    let words = SecretNames.words(of: name)
    guard let last = words.last else { return nil }
    let pair = words.suffix(2).joined()
    let isDigits = value.utf8.allSatisfy { 48...57 ~= $0 }
    if hasWord(words, phoneWords), isPhone(value) { return .phone }
    if birthWords.contains(last) || birthWords.contains(pair) || words.first == "birth", isDate(value) {
      return .birthday
    }
    let hasLetter = value.unicodeScalars.contains { $0.properties.isAlphabetic }
    guard hasLetter, !isDigits else { return nil }
    if nameWords.contains(last) || nameWords.contains(pair) || last == "name" && isPerson(owner) { return .name }
    if addressWords.contains(last) || addressWords.contains(pair) { return .address }
    // One word is a state or a kind.
    if hasWord(words, textWords), value.contains(where: \.isWhitespace) || !value.utf8.allSatisfy({ $0 < 128 }) {
      return .text
    }
    return nil
  }

  private static func hasWord(_ words: [String], _ known: Set<String>) -> Bool { words.contains(where: known.contains) }

  /// Whether an object is about a person by its name: `author`, `users`.
  private static func isPerson(_ owner: String) -> Bool {
    SecretNames.words(of: owner).last.map { personWords.contains($0) || personWords.contains(String($0.dropLast())) }
      ?? false
  }

  /// One `@` between a local part and a domain with a dot (RFC 5321, 4.1.2, without quotes).
  static func isEmail(_ value: String) -> Bool {
    let parts = value.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, value.utf8.count <= 254, !value.contains(where: \.isWhitespace) else {
      return false
    }
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count > 1 && labels.allSatisfy { !$0.isEmpty } && !value.contains("/")
  }

  /// Seven to fifteen digits (E.164) with the signs that people write between them.
  private static func isPhone(_ value: String) -> Bool {
    7...15 ~= value.utf8.count { 48...57 ~= $0 }
      && value.utf8.allSatisfy { 48...57 ~= $0 || "+-() .".utf8.contains($0) }
  }

  /// Eight digits as a date, perhaps with separators and a time behind.
  static func isDate(_ value: String) -> Bool {
    let digits = value.utf8.prefix { 48...57 ~= $0 || "-/.".utf8.contains($0) }.filter { 48...57 ~= $0 }
    return digits.count == 8 || digits.count == 6 && value.utf8.count == 6
  }

  private static func isTraceback(_ value: String) -> Bool {
    value.contains("Traceback (most recent call last)") || value.contains("\n    at ") || value.contains("\n\tat ")
      || value.contains("\ngoroutine ")
  }

  private static let phoneWords: Set<String> = [
    "phone", "phones", "phonenumber", "mobile", "cell", "cellphone", "telephone", "tel", "msisdn", "fax", "sms",
  ]
  private static let birthWords: Set<String> = ["birthday", "birthdate", "birth", "dob", "dateofbirth", "born", "bday"]
  private static let nameWords: Set<String> = [
    "firstname", "lastname", "fullname", "realname", "familyname", "givenname", "middlename", "surname", "nick",
    "nickname", "displayname", "legalname", "contactname", "holdername", "maidenname",
  ]
  private static let addressWords: Set<String> = [
    "street", "streetaddress", "postaladdress", "homeaddress", "shippingaddress", "billingaddress", "addressline",
    "line1",
  ]
  private static let textWords: Set<String> = [
    "chat", "comment", "comments", "bio", "biography", "about", "feedback", "introduction", "memo", "review", "reviews",
    "note", "notes",
  ]
  private static let personWords: Set<String> = [
    "user", "person", "people", "author", "owner", "member", "customer", "contact", "patient", "employee", "student",
    "sender", "recipient", "assignee", "creator", "profile", "account", "buyer", "seller", "guest", "friend",
  ]
}

/// Paths of the machine of a person: `/Users/alice/app.py`.
enum LocalPath {
  private static let roots: [[UInt8]] = ["/home/", "/Users/", "\\Users\\", "/root/", "/private/var/folders/"].map {
    Array($0.utf8)
  }

  /// The ranges of the names of users in a string, each between two separators.
  static func users(in bytes: [UInt8]) -> [Range<Int>] {
    var users: [Range<Int>] = []
    var position = 0
    while position < bytes.count {
      guard bytes[position] == 0x2F || bytes[position] == 0x5C,
        let root = roots.first(where: { bytes[position...].starts(with: $0) }), begins(bytes, position)
      else {
        position += 1
        continue
      }
      let name = position + root.count
      position =
        bytes[name...].firstIndex { $0 == 0x2F || $0 == 0x5C || $0 <= 0x20 || "\"':,;)".utf8.contains($0) }
        ?? bytes.count
      if position > name { users.append(name..<position) }
    }
    return users
  }

  /// Whether a path may begin here: a URL has a host before its path.
  private static func begins(_ bytes: [UInt8], _ position: Int) -> Bool {
    guard position > 0 else { return true }
    let before = bytes[position - 1]
    return before <= 0x20 || "\"'(=[<:".utf8.contains(before)
  }
}
