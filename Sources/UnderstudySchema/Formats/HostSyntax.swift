/// The grammars of hosts: RFC 1123 (`hostname`), RFC 2673 (`ipv4`), RFC 4291 (`ipv6`) and RFC 5321 (`email`).
enum HostSyntax {
  typealias Text = Format.Text

  static func isIPv4(_ text: Text) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        1...3 ~= part.count && part.allSatisfy { 48...57 ~= $0 } && (part.count == 1 || part.first != 48)
          && part.reduce(0) { $0 * 10 + Int($1 - 48) } <= 255
      }
  }

  static func isIPv6(_ text: Text) -> Bool {
    var groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard groups.count >= 3 else { return false }
    var wanted = 8
    if let last = groups.last, last.contains(UInt8(ascii: ".")) {
      guard isIPv4(last) else { return false }
      groups.removeLast()
      wanted = 6
      // A group or `::` must precede it; the check of the first group below rejects a single colon.
      if groups.count == 1, groups[0].isEmpty { return false }
    } else if groups.last?.isEmpty == true {
      guard groups[groups.count - 2].isEmpty else { return false }
      groups.removeLast()
    }
    if groups.first?.isEmpty == true {
      guard groups.count >= 2, groups[1].isEmpty else { return false }
      groups.removeFirst()
    }
    let gaps = groups.count { $0.isEmpty }
    guard groups.allSatisfy({ $0.count <= 4 && $0.allSatisfy { PercentEncoding.hexValue($0) != nil } }) else {
      return false
    }
    return gaps == 0 ? groups.count == wanted : gaps == 1 && groups.count - 1 < wanted
  }

  /// Letters, digits and inner hyphens; `xn--` labels must encode a valid name.
  static func isHostname(_ text: Text) -> Bool {
    guard 1...253 ~= text.count, text.allSatisfy({ $0 < 0x80 }) else { return false }
    return text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { isLabel($0) && InternationalName.isValidIfEncoded($0) }
  }

  static func isLabel(_ label: Text) -> Bool {
    1...63 ~= label.count && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
      && label.allSatisfy { Format.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  /// No white space and no empty labels: a name that a resolver would try.
  static func looksLikeHostname(_ text: Text) -> Bool {
    1...253 ~= text.count && text.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/@:?#".utf8.contains($0) }
      && text.first != UInt8(ascii: ".") && !hasDoubleDot(text)
  }

  static func isEmail(_ text: Text, allowsUnicode: Bool) -> Bool {
    guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let (local, domain) = (text[..<at], text[(at + 1)...])
    guard allowsUnicode || text.allSatisfy({ $0 < 0x80 }) else { return false }
    return 1...64 ~= local.count && isLocalPart(local) && isDomain(domain, allowsUnicode: allowsUnicode)
  }

  static func looksLikeEmail(_ text: Text) -> Bool {
    guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return false }
    return at > text.startIndex && looksLikeHostname(text[(at + 1)...])
  }

  private static func isLocalPart(_ local: Text) -> Bool {
    if local.count >= 2, local.first == UInt8(ascii: "\""), local.last == UInt8(ascii: "\"") {
      var isEscaped = false
      for byte in local.dropFirst().dropLast() {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") || byte < 0x20 || byte == 0x7F {
          return false
        }
      }
      return !isEscaped
    }
    return local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty
        && atom.allSatisfy { Format.isAlphanumeric($0) || $0 >= 0x80 || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }
  }

  private static func isDomain(_ domain: Text, allowsUnicode: Bool) -> Bool {
    guard domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") else {
      return allowsUnicode ? InternationalName.isHostname(domain) : isHostname(domain)
    }
    let literal = domain.dropFirst().dropLast()
    return literal.starts(with: "IPv6:".utf8) ? isIPv6(literal.dropFirst(5)) : isIPv4(literal)
  }

  private static func hasDoubleDot(_ text: Text) -> Bool {
    zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: ".") && $1 == UInt8(ascii: ".") }
  }
}
