/// Paths into bodies as other tools write them.
enum ForeignPath {
  /// A JSONPath of RFC 9535; `nil` for syntax that only the tool's own library reads.
  static func jsonPath(_ text: String) -> String? {
    var path = text
    if path.utf8.first != UInt8(ascii: "$") { path = "$." + path }
    path = withoutRegexOperators(path) ?? path
    guard let parsed = try? JSONPath(path), parsed.brokenPatterns.isEmpty else { return nil }
    return path == "$" || path.hasPrefix("$.") || path.hasPrefix("$[") ? path : nil
  }

  /// Replaces `@.name =~ /a.*/` by `match(@.name, 'a.*')`.
  private static func withoutRegexOperators(_ path: String) -> String? {
    guard let range = path.firstRange(of: "=~") else { return nil }
    let before = path[..<range.lowerBound].reversed().drop { $0 == " " }
    let name = String(before.prefix { !" (&|!".contains($0) }.reversed())
    let after = path[range.upperBound...].drop { $0 == " " }
    guard after.first == "/", let end = after.dropFirst().firstIndex(of: "/") else { return nil }
    let expression = after[after.index(after: after.startIndex)..<end]
    let rest = after[after.index(after: end)...]
    guard rest.first?.isLetter != true, !expression.contains("'") else { return nil }
    let head = String(before.reversed()).dropLast(name.count)
    let result = head + "match(\(name), '\(expression.replacing("\\d", with: "[0-9]"))')" + rest
    return withoutRegexOperators(String(result)) ?? String(result)
  }

  /// A plain XPath, and the test of a predicate at its end: `/a/b[text()='x']`, `//b[@id='x']`.
  static func xPath(_ text: String) -> (path: String, test: JSON?)? {
    var path = text
    var test: JSON?
    if path.hasSuffix("]"), let open = path.lastIndex(of: "["), path[open...].contains("=") {
      let predicate = path[path.index(after: open)...].dropLast()
      let halves = predicate.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " || $0 == "\u{1}" } }
      guard halves.count == 2, let quote = halves[1].first, "'\"".contains(quote), halves[1].last == quote else {
        return nil
      }
      let literal = predicate[predicate.index(after: predicate.firstIndex(of: quote) ?? predicate.startIndex)...]
        .dropLast()
      path = String(path[..<open])
      switch halves[0] {
      case "text()", ".": break
      case let name where name.hasPrefix("@"): path += "/" + name
      default: path += "/" + halves[0]
      }
      test = .string(String(literal.hasSuffix("'") || literal.hasSuffix("\"") ? literal.dropLast() : literal))
    }
    guard path.hasPrefix("/"), XMLPath(withoutPrefixes(path)) != nil else { return nil }
    return (withoutPrefixes(path), test)
  }

  /// Removes the namespace prefixes of names.
  private static func withoutPrefixes(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { step in
      guard let colon = step.firstIndex(of: ":") else { return String(step) }
      return (step.hasPrefix("@") ? "@" : "") + step[step.index(after: colon)...]
    }.joined(separator: "/")
  }
}

/// JSON Schemas of other versions.
enum SchemaVersions {
  private static let odd = ["dependencies", "additionalItems", "$recursiveRef", "id"]

  /// The schema without `$schema`; `nil` if a keyword has another meaning in 2020-12.
  static func current(_ schema: JSON, named version: String?) -> JSON? {
    let isCurrent = version.map { ["V202012", "V201909"].contains($0) } ?? (schema["$schema"] == nil)
    if !isCurrent, hasOddKeyword(schema, depth: 0) { return nil }
    guard schema.isObject else { return schema }
    return .object(schema.members.filter { $0.name != "$schema" }.map { ($0.name, $0.value) })
  }

  private static func hasOddKeyword(_ value: JSON, depth: Int) -> Bool {
    guard depth < 64 else { return true }
    if value.isArray { return value.elements.contains { hasOddKeyword($0, depth: depth + 1) } }
    guard value.isObject else { return false }
    return value.members.contains { member in
      odd.contains(member.name) && !(member.name == "id" && member.value.isObject)
        || member.name == "items" && member.value.isArray
        || ["exclusiveMinimum", "exclusiveMaximum", "required"].contains(member.name) && member.value.bool != nil
        || hasOddKeyword(member.value, depth: depth + 1)
    }
  }
}

/// Bytes in Base64 (RFC 4648, section 4).
enum Base64Text {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let chunk = bytes[start..<min(start + 3, bytes.count)]
      let value = chunk.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - chunk.count))
      for index in 0..<4 {
        result.append(index > chunk.count ? UInt8(ascii: "=") : alphabet[value >> (18 - 6 * index) & 63])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes; `nil` for any other text.
  static func decoded(_ text: String) -> [UInt8]? {
    var (result, value, bits): ([UInt8], Int, Int) = ([], 0, 0)
    for byte in text.utf8 where ![0x0A, 0x0D, 0x20].contains(byte) {
      if byte == UInt8(ascii: "=") { continue }
      guard let digit = alphabet.firstIndex(of: byte) else { return nil }
      (value, bits) = ((value << 6 | digit) & 0xFFFFFF, bits + 6)
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(value >> bits & 255))
      }
    }
    return result
  }
}
