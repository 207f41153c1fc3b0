/// Reads regular expressions of ECMA-262 (22.2.1) with the flag `u`, and some common syntax beyond it.
struct PatternReader {
  private var cursor: PatternCursor
  private var groups = 0
  private var depth = 0

  /// `nil` when the pattern cannot be read.
  static func read(_ pattern: String) -> PatternNode? {
    var reader = PatternReader(cursor: PatternCursor(pattern))
    guard pattern.utf8.count <= 20_000, let node = reader.choice(), reader.cursor.peek == nil else { return nil }
    return node
  }

  private init(cursor: PatternCursor) { self.cursor = cursor }

  private mutating func choice() -> PatternNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth < 60 else { return nil }
    var branches: [PatternNode] = []
    repeat {
      guard let branch = sequence() else { return nil }
      branches.append(branch)
    } while cursor.skip("|")
    return branches.count == 1 ? branches[0] : PatternNode(.choice(branches))
  }

  private mutating func sequence() -> PatternNode? {
    var nodes: [PatternNode] = []
    while let next = cursor.peek, next != "|", next != ")" {
      guard let atom = atom(), let node = quantified(atom) else { return nil }
      nodes.append(node)
    }
    return nodes.count == 1 ? nodes[0] : PatternNode(.sequence(nodes))
  }

  private mutating func quantified(_ atom: PatternNode) -> PatternNode? {
    guard let quantifier = cursor.quantifier() else { return atom }
    _ = cursor.skip("?")
    guard quantifier.least <= quantifier.most else { return nil }
    return PatternNode(.repetition(atom, atLeast: quantifier.least, atMost: quantifier.most))
  }

  private mutating func atom() -> PatternNode? {
    guard let next = cursor.next() else { return nil }
    switch next {
    case "^": return PatternNode(.start)
    case "$": return PatternNode(.end)
    case ".": return .set(.dot)
    case "(": return group()
    case "[": return characterClass().map(PatternNode.set)
    case "\\": return escape()
    case "*", "+", "?": return nil
    default: return .set(ScalarSet(next))
    }
  }

  private mutating func group() -> PatternNode? {
    if cursor.skip("?=") { return body().map { PatternNode(.lookahead($0, isNegative: false)) } }
    if cursor.skip("?!") { return body().map { PatternNode(.lookahead($0, isNegative: true)) } }
    if cursor.skip("?<=") || cursor.skip("?<!") { return body().map { _ in PatternNode(.empty) } }
    if cursor.skip("?:") { return body() }
    var name: String?
    if cursor.skip("?<") {
      name = cursor.text(upTo: ">")
      guard name != nil else { return nil }
    } else if cursor.peek == "?" {
      // Inline flags and other syntax that ECMA-262 does not have.
      return nil
    }
    groups += 1
    let number = groups
    return body().map { PatternNode(.group($0, number: number, name: name)) }
  }

  private mutating func body() -> PatternNode? {
    guard let node = choice(), cursor.skip(")") else { return nil }
    return node
  }

  private mutating func escape() -> PatternNode? {
    if cursor.skip("b") || cursor.skip("B") { return PatternNode(.empty) }
    if let first = cursor.peek, "1"..."9" ~= first {
      let digits = cursor.digits
      cursor.skip(digits.utf8.count)
      return PatternNode(.backreference(digits))
    }
    if cursor.skip("k<") { return cursor.text(upTo: ">").map { PatternNode(.backreference($0)) } }
    return escapedSet().map(PatternNode.set)
  }

  /// The set of an escape after its backslash, outside a class or in it.
  private mutating func escapedSet() -> ScalarSet? {
    guard let next = cursor.next() else { return nil }
    switch next {
    case "d": return .digits
    case "D": return ScalarSet.digits.inverted
    case "w": return .word
    case "W": return ScalarSet.word.inverted
    case "s": return .space
    case "S": return ScalarSet.space.inverted
    case "n": return ScalarSet("\n")
    case "r": return ScalarSet("\r")
    case "t": return ScalarSet("\t")
    case "f": return ScalarSet("\u{0C}")
    case "v": return ScalarSet("\u{0B}")
    case "0": return ScalarSet("\u{0}")
    case "c": return set(cursor.next().map { $0.value % 32 })
    case "x": return set(number(2))
    case "u":
      guard cursor.skip("{") else { return utf16() }
      return set(cursor.text(upTo: "}").flatMap { UInt32($0, radix: 16) })
    case "p", "P":
      guard cursor.skip("{"), let name = cursor.text(upTo: "}") else { return nil }
      return next == "p" ? .category(name) : ScalarSet.category(name).inverted
    default: return ScalarSet(next)
    }
  }

  private func set(_ value: UInt32?) -> ScalarSet? { value.flatMap(Unicode.Scalar.init).map { ScalarSet($0) } }

  private mutating func number(_ width: Int) -> UInt32? {
    let digits = cursor.rest.prefix(width)
    guard digits.count == width, let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16) else {
      return nil
    }
    cursor.skip(width)
    return value
  }

  /// `\uD83D\uDE00` is one scalar.
  private mutating func utf16() -> ScalarSet? {
    guard let high = number(4) else { return nil }
    if 0xD800..<0xDC00 ~= high, cursor.skip("\\u"), let low = number(4), 0xDC00..<0xE000 ~= low {
      return set(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }
    return set(high)
  }

  private mutating func characterClass() -> ScalarSet? {
    let isNegative = cursor.skip("^")
    var members = ScalarSet()
    while let next = cursor.next() {
      if next == "]" { return isNegative ? members.inverted : members }
      guard let low = member(next) else { return nil }
      var behind = cursor
      guard behind.skip("-"), let end = behind.next(), end != "]", let lower = low.onlyMember else {
        members.formUnion(low)
        continue
      }
      cursor = behind
      guard let high = member(end) else { return nil }
      if let upper = high.onlyMember {
        guard lower <= upper else { return nil }
        members.insert(lower...upper)
      } else {
        // In `[a-\d]` the dash is a member.
        for set in [low, ScalarSet("-"), high] { members.formUnion(set) }
      }
    }
    return nil
  }

  private mutating func member(_ scalar: Unicode.Scalar) -> ScalarSet? {
    guard scalar == "\\" else { return ScalarSet(scalar) }
    return cursor.skip("b") ? ScalarSet("\u{08}") : escapedSet()
  }
}
