/// The syntax tree of a regular expression without lookarounds, backreferences and word boundaries.
indirect enum RegularNode {
  case set(CharacterSet)
  case sequence([RegularNode])
  case choice([RegularNode])
  case repetition(RegularNode, atLeast: Int, atMost: Int?)
  case start
  case end
}

/// Reads the regular part of ECMA-262 (22.2.1); any other syntax gives `nil`.
struct RegularExpressionReader {
  private let text: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private static let depthLimit = 50
  /// The maximum number of bytes of a pattern.
  private static let lengthLimit = 10_000

  static func read(_ pattern: String) -> RegularNode? {
    guard pattern.utf8.count <= lengthLimit else { return nil }
    var reader = RegularExpressionReader(text: Array(pattern.unicodeScalars))
    guard let node = reader.choice(), reader.next == nil else { return nil }
    return node
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private mutating func take() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    position += 1
    return scalar
  }

  private mutating func skip(_ word: String) -> Bool {
    let scalars = Array(word.unicodeScalars)
    guard text[position...].starts(with: scalars) else { return false }
    position += scalars.count
    return true
  }

  private mutating func choice() -> RegularNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { return nil }
    var branches: [RegularNode] = []
    repeat {
      guard let branch = sequence() else { return nil }
      branches.append(branch)
    } while skip("|")
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() -> RegularNode? {
    var nodes: [RegularNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      guard let atom = atom(), let node = quantified(atom) else { return nil }
      nodes.append(node)
    }
    return .sequence(nodes)
  }

  private mutating func quantified(_ atom: RegularNode) -> RegularNode? {
    let limits: (Int, Int?)
    switch next {
    case "*": limits = (0, nil)
    case "+": limits = (1, nil)
    case "?": limits = (0, 1)
    case "{":
      guard let counted = counts() else { return nil }
      limits = counted
    default: return atom
    }
    // The quantifier, or the brace that ends it.
    position += 1
    _ = skip("?")
    if let most = limits.1, most < limits.0 { return nil }
    return .repetition(atom, atLeast: limits.0, atMost: limits.1)
  }

  /// `{2}`, `{2,}` or `{2,4}`, up to the closing brace.
  private mutating func counts() -> (Int, Int?)? {
    position += 1
    guard let least = number() else { return nil }
    var most: Int? = least
    if skip(",") { most = next == "}" ? nil : number() ?? -1 }
    return next == "}" ? (least, most) : nil
  }

  private mutating func number() -> Int? {
    let digits = text[position...].prefix { "0"..."9" ~= $0 }
    position += digits.count
    return Int(String(String.UnicodeScalarView(digits)))
  }

  private mutating func atom() -> RegularNode? {
    guard let scalar = take() else { return nil }
    switch scalar {
    case "^": return .start
    case "$": return .end
    case ".": return .set(.dot)
    case "(":
      if next == "?", !skip("?:") { return nil }
      guard let node = choice(), skip(")") else { return nil }
      return node
    case "[": return characterClass().map(RegularNode.set)
    case "\\": return escaped().map(RegularNode.set)
    case "*", "+", "?", ")": return nil
    default: return .set(CharacterSet(scalar))
    }
  }

  private mutating func characterClass() -> CharacterSet? {
    let isNegative = skip("^")
    var ranges: [ClosedRange<UInt32>] = []
    while let scalar = take() {
      if scalar == "]" {
        let set = CharacterSet(ranges)
        return isNegative ? set.inverted : set
      }
      guard let low = member(scalar) else { return nil }
      if next == "-", position + 1 < text.count, text[position + 1] != "]" {
        position += 1
        guard let end = take(), let high = member(end), let lower = low.only, let upper = high.only, lower <= upper
        else {
          return nil
        }
        ranges.append(lower...upper)
      } else {
        ranges += low.ranges
      }
    }
    return nil
  }

  private mutating func member(_ scalar: Unicode.Scalar) -> CharacterSet? {
    guard scalar == "\\" else { return CharacterSet(scalar) }
    return skip("b") ? CharacterSet("\u{08}") : escaped()
  }

  /// The set of an escape after its backslash.
  private mutating func escaped() -> CharacterSet? {
    guard let scalar = take() else { return nil }
    switch scalar {
    case "d": return .digits
    case "D": return CharacterSet.digits.inverted
    case "w": return .word
    case "W": return CharacterSet.word.inverted
    case "s": return .space
    case "S": return CharacterSet.space.inverted
    case "n": return CharacterSet("\n")
    case "r": return CharacterSet("\r")
    case "t": return CharacterSet("\t")
    case "f": return CharacterSet("\u{0C}")
    case "v": return CharacterSet("\u{0B}")
    case "x": return hexadecimal(2)
    case "u": return hexadecimal(4)
    // Word boundaries, backreferences, properties and control characters.
    case "0"..."9", "a"..."z", "A"..."Z": return nil
    default: return CharacterSet(scalar)
    }
  }

  private mutating func hexadecimal(_ width: Int) -> CharacterSet? {
    let digits = text[position...].prefix(width)
    guard digits.count == width, digits.allSatisfy(\.properties.isASCIIHexDigit),
      let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    position += width
    return CharacterSet(scalar)
  }
}
