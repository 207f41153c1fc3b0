/// Reads the syntax of ECMA-262, 22.2.1, with the flag `u`, and leniently what users write beside it.
struct PatternReader {
  private var rest: ArraySlice<Unicode.Scalar>
  private var groups = 0
  private var depth = 0

  /// `nil` when the pattern cannot be read.
  static func read(_ pattern: String) -> PatternNode? {
    var reader = PatternReader(rest: Array(pattern.unicodeScalars)[...])
    guard pattern.utf8.count <= 20_000, let node = reader.choice(), reader.rest.isEmpty else { return nil }
    return node
  }

  private init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func take(prefix text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest = rest.dropFirst(text.unicodeScalars.count)
    return true
  }

  private mutating func upTo(_ scalar: Unicode.Scalar) -> String? {
    guard let end = rest.firstIndex(of: scalar) else { return nil }
    defer { rest = rest[rest.index(after: end)...] }
    return String(String.UnicodeScalarView(rest[..<end]))
  }

  private mutating func choice() -> PatternNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth < 60 else { return nil }
    var branches: [PatternNode] = []
    repeat {
      guard let branch = sequence() else { return nil }
      branches.append(branch)
    } while take("|")
    return branches.count == 1 ? branches[0] : PatternNode(.choice(branches))
  }

  private mutating func sequence() -> PatternNode? {
    var nodes: [PatternNode] = []
    while let next = rest.first, next != "|", next != ")" {
      guard let atom = atom(), let node = quantified(atom) else { return nil }
      nodes.append(node)
    }
    return nodes.count == 1 ? nodes[0] : PatternNode(.sequence(nodes))
  }

  private mutating func quantified(_ atom: PatternNode) -> PatternNode? {
    var bounds: (Int, Int)
    switch rest.first {
    case "*": bounds = (0, .max)
    case "+": bounds = (1, .max)
    case "?": bounds = (0, 1)
    case "{":
      guard let counted = count() else { return atom }
      bounds = counted
      _ = take("?")
      return bounds.0 <= bounds.1 ? PatternNode(.repetition(atom, atLeast: bounds.0, atMost: bounds.1)) : nil
    default: return atom
    }
    rest.removeFirst()
    _ = take("?")
    return PatternNode(.repetition(atom, atLeast: bounds.0, atMost: bounds.1))
  }

  /// `{2}`, `{2,}` or `{2,5}`; anything else in braces stands for itself.
  private mutating func count() -> (Int, Int)? {
    // `Int` would read signs as well, and with those the braces stand for themselves.
    let text = rest.dropFirst().prefix { "0"..."9" ~= $0 || $0 == "," }
    let behind = rest.dropFirst(1 + text.count)
    guard behind.first == "}" else { return nil }
    let parts = String(String.UnicodeScalarView(text)).split(separator: ",", omittingEmptySubsequences: false)
    guard let least = parts.first.flatMap({ Int($0) }), parts.count <= 2 else { return nil }
    var most = least
    if parts.count == 2 {
      guard let bound = parts[1].isEmpty ? Int.max : Int(parts[1]) else { return nil }
      most = bound
    }
    rest = behind.dropFirst()
    return (least, most)
  }

  private mutating func atom() -> PatternNode? {
    guard let next = rest.popFirst() else { return nil }
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
    var name: String?
    var isCapturing = true
    if take(prefix: "?=") { return body().map { PatternNode(.lookahead($0, isNegative: false)) } }
    if take(prefix: "?!") { return body().map { PatternNode(.lookahead($0, isNegative: true)) } }
    if take(prefix: "?<=") || take(prefix: "?<!") { return body().map { _ in PatternNode(.empty) } }
    if take(prefix: "?:") {
      isCapturing = false
    } else if take(prefix: "?<") {
      name = upTo(">")
      guard name != nil else { return nil }
    } else if rest.first == "?" {
      // Inline flags and other syntax that ECMA-262 does not have.
      return nil
    }
    guard isCapturing else { return body() }
    groups += 1
    let number = groups
    return body().map { PatternNode(.group($0, number: number, name: name)) }
  }

  private mutating func body() -> PatternNode? {
    guard let node = choice(), take(")") else { return nil }
    return node
  }

  private mutating func escape() -> PatternNode? {
    guard let next = rest.first else { return nil }
    switch next {
    case "b", "B":
      rest.removeFirst()
      return PatternNode(.empty)
    case "1"..."9":
      let digits = rest.prefix { "0"..."9" ~= $0 }
      rest = rest.dropFirst(digits.count)
      return PatternNode(.backreference(String(String.UnicodeScalarView(digits))))
    case "k":
      rest.removeFirst()
      guard take("<") else { return .set(ScalarSet("k")) }
      return upTo(">").map { PatternNode(.backreference($0)) }
    default: return escapedSet().map(PatternNode.set)
    }
  }

  /// The set of an escape behind its backslash, outside a class or in it.
  private mutating func escapedSet() -> ScalarSet? {
    guard let next = rest.popFirst() else { return nil }
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
    case "c":
      guard let letter = rest.popFirst() else { return nil }
      return Unicode.Scalar(letter.value % 32).map { ScalarSet($0) }
    case "x": return hex(2)
    case "u":
      guard take("{") else { return utf16() }
      return upTo("}").flatMap { UInt32($0, radix: 16) }.flatMap(Unicode.Scalar.init).map { ScalarSet($0) }
    case "p", "P":
      guard take("{"), let name = upTo("}") else { return nil }
      return next == "p" ? .category(name) : ScalarSet.category(name).inverted
    default: return ScalarSet(next)
    }
  }

  private mutating func number(_ width: Int) -> UInt32? {
    let digits = rest.prefix(width)
    guard digits.count == width, let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16) else {
      return nil
    }
    rest = rest.dropFirst(width)
    return value
  }

  private mutating func hex(_ width: Int) -> ScalarSet? {
    number(width).flatMap(Unicode.Scalar.init).map { ScalarSet($0) }
  }

  /// `\uD83D\uDE00` is one scalar.
  private mutating func utf16() -> ScalarSet? {
    guard let high = number(4) else { return nil }
    if 0xD800..<0xDC00 ~= high, take(prefix: "\\u"), let low = number(4), 0xDC00..<0xE000 ~= low {
      return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)).map { ScalarSet($0) }
    }
    return Unicode.Scalar(high).map { ScalarSet($0) }
  }

  private mutating func characterClass() -> ScalarSet? {
    let isNegative = take("^")
    var set = ScalarSet()
    while let next = rest.popFirst() {
      if next == "]" { return isNegative ? set.inverted : set }
      guard let low = member(next) else { return nil }
      guard rest.first == "-", let after = rest.dropFirst().first, after != "]", let lower = low.onlyMember else {
        set.formUnion(low)
        continue
      }
      rest = rest.dropFirst(2)
      guard let high = member(after) else { return nil }
      if let upper = high.onlyMember {
        guard lower <= upper else { return nil }
        set.insert(lower...upper)
      } else {
        // `[a-\d]`: the dash stands for itself.
        set.formUnion(low)
        set.formUnion(ScalarSet("-"))
        set.formUnion(high)
      }
    }
    return nil
  }

  private mutating func member(_ scalar: Unicode.Scalar) -> ScalarSet? {
    guard scalar == "\\" else { return ScalarSet(scalar) }
    if take("b") { return ScalarSet("\u{08}") }
    return escapedSet()
  }
}
