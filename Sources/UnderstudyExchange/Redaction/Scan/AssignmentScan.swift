/// Finds values behind a name that makes them secret: `NAME=value`, `"name": "value"`.
struct AssignmentScan {
  private let bytes: [UInt8]
  private let options: TextScan.Options
  private(set) var spans: [TextScan.Span] = []

  init(_ bytes: [UInt8], _ options: TextScan.Options) {
    self.bytes = bytes
    self.options = options
    scan()
  }

  private mutating func scan() {
    var position = 0
    while let mark = bytes[position...].firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) {
      position = mark + 1
      guard let assignment = assignment(at: mark) else { continue }
      let isSecret = add(assignment)
      // Long values are read once, so that the work stays linear.
      if isSecret || assignment.value.count > 256 { position = max(position, assignment.value.upperBound) }
    }
  }

  private struct Assignment {
    var name: String
    var strength: SecretNames.Strength
    var isDocumented: Bool
    var isNameQuoted: Bool
    var isURL: Bool
    var isEquals: Bool
    var isValueQuoted: Bool
    /// Whether the name ends a path, before a colon and a value without quotes.
    var isPointer: Bool
    var value: Range<Int>
  }

  private static let nameLimit = 64

  private func assignment(at mark: Int) -> Assignment? {
    var end = mark
    while end > 0, mark - end < 2, FieldSyntax.isBlank(bytes[end - 1]) { end -= 1 }
    let isNameQuoted = end > 0 && TextScan.isQuote(bytes[end - 1])
    if isNameQuoted { end -= 1 }
    // `\"name\": \"value\"` in a text that was quoted once more.
    let isEscaped = isNameQuoted && end > 0 && bytes[end - 1] == UInt8(ascii: "\\")
    if isEscaped { end -= 1 }
    var start = end
    while start > 0, end - start < Self.nameLimit, Self.isName(bytes[start - 1]) { start -= 1 }
    guard start < end else { return nil }
    let isEquals = bytes[mark] == UInt8(ascii: "=")
    let isURL = isEquals && start > 0 && ("?&#".utf8.contains(bytes[start - 1]) || isBehindEntity(start))
    var from = mark + 1
    guard from < bytes.count, bytes[from] != UInt8(ascii: "=") else { return nil }
    while from < bytes.count, from - mark < 3, FieldSyntax.isBlank(bytes[from]) { from += 1 }
    if isEscaped, from < bytes.count, bytes[from] == UInt8(ascii: "\\") { from += 1 }
    guard from < bytes.count else { return nil }
    let quote = TextScan.isQuote(bytes[from]) ? bytes[from] : nil
    if quote != nil { from += 1 }
    let name = PercentEncoding.decode(bytes[start..<end]) ?? String(decoding: bytes[start..<end], as: UTF8.self)
    let isHeader = !isEquals && !isNameQuoted && name.utf8.contains(UInt8(ascii: "-"))
    let strength = SecretNames.strength(of: name, as: isURL ? .query : isHeader ? .header : .member)
    let isDocumented = options.isSecretMember(name, nil) || isURL && options.isSecretQuery(name, nil)
    guard strength >= .weak || isDocumented else { return nil }
    var assignment = Assignment(
      name: name, strength: strength, isDocumented: isDocumented, isNameQuoted: isNameQuoted, isURL: isURL,
      isEquals: isEquals, isValueQuoted: quote != nil,
      isPointer: !isEquals && !isNameQuoted && quote == nil && start > 0 && bytes[start - 1] == UInt8(ascii: "/"),
      value: from..<from)
    let isWhole = isEquals && !isURL && quote == nil && isVariable(start..<end)
    assignment.value = from..<endOfValue(from, quote, isEscaped: isEscaped, isURL: isURL, isWhole: isWhole)
    return assignment
  }

  /// Whether `&amp;` stands before a position, as in a link of a page.
  private func isBehindEntity(_ start: Int) -> Bool {
    start > 5 && bytes[start - 5..<start].elementsEqual("&amp;".utf8)
  }

  /// Whether a name in upper case starts a line: an environment variable, whose value is the rest of the line.
  private func isVariable(_ name: Range<Int>) -> Bool {
    guard name.lowerBound == 0 || bytes[name.lowerBound - 1] == 0x0A else { return false }
    return bytes[name].allSatisfy { 65...90 ~= $0 || 48...57 ~= $0 || $0 == UInt8(ascii: "_") }
  }

  private func endOfValue(_ start: Int, _ quote: UInt8?, isEscaped: Bool, isURL: Bool, isWhole: Bool) -> Int {
    if let quote {
      var position = start
      while position < bytes.count, bytes[position] != quote {
        if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count {
          if isEscaped, bytes[position + 1] == quote { return position }
          position += 1
        }
        position += 1
      }
      return min(position, bytes.count)
    }
    let stops = isWhole ? "\n\r" : isURL ? "&#\"'<>\\)] \t\n\r" : ",;&\"'<>\\)]} \t\n\r"
    return bytes[start...].firstIndex(where: stops.utf8.contains) ?? bytes.count
  }

  private mutating func add(_ assignment: Assignment) -> Bool {
    guard isSecret(assignment) else { return false }
    let rule: Rule = assignment.isDocumented ? .redactSchema : assignment.isURL ? .redactQuery : .redactAssignment
    spans.append(.init(range: assignment.value, rule: rule, form: assignment.isURL ? .percentEncoded : .plain))
    return true
  }

  private func isSecret(_ assignment: Assignment) -> Bool {
    let value = bytes[assignment.value]
    guard isValue(value) else { return false }
    if assignment.isDocumented {
      // `/pin: the value breaks ...` is a message about a location.
      if assignment.isPointer, !isGenerated(value) { return false }
      return options.isSecretMember(assignment.name, value) || options.isSecretQuery(assignment.name, value)
    }
    if options.keepsSentences, assignment.isValueQuoted, value.contains(UInt8(ascii: " ")) { return false }
    guard assignment.strength == .strong else {
      return SecretNames.isCredential(value, weaklyNamed: assignment.name, inURL: assignment.isURL)
    }
    if SecretNames.hasScheme(assignment.name) || isFolder(assignment) { return false }
    // In prose a colon is only a colon: "unexpected token: found a comma".
    return assignment.isEquals || assignment.isNameQuoted || assignment.isValueQuoted || isGenerated(value)
  }

  /// `PWD=/srv`
  private func isFolder(_ assignment: Assignment) -> Bool {
    FieldSyntax.lowercased(assignment.name.utf8).hasSuffix("pwd") && bytes[assignment.value].first == UInt8(ascii: "/")
  }

  private func isGenerated(_ value: ArraySlice<UInt8>) -> Bool {
    let counts = Entropy.Counts(value)
    return value.count >= 6 && counts.digits > 0 && counts.lower + counts.upper > 0
  }

  /// Whether a value is written out, rather than a template, list or literal.
  private func isValue(_ value: ArraySlice<UInt8>) -> Bool {
    guard let first = value.first, !"{[<(".utf8.contains(first) else { return false }
    // `${NAME}` and `$NAME` are variables, `$2b$` is a hash.
    if first == UInt8(ascii: "$"), let next = value.dropFirst().first, !(48...57 ~= next) {
      guard value.count > 16, next != UInt8(ascii: "{") else { return false }
    }
    return !["true", "false", "null", "none", "undefined", "nil", "yes", "no"].contains(
      FieldSyntax.lowercased(value.prefix(10)))
  }

  private static func isName(_ byte: UInt8) -> Bool {
    Entropy.isAlphanumeric(byte) || "_-.[]%$".utf8.contains(byte)
  }
}
