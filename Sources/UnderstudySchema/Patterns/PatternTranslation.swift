/// Rewrites a regular expression of ECMA-262 for PCRE2.
///
/// The two agree on most of the syntax. They differ in the meaning of `\s`, `.`, `[]`, `\u`, `\c` and in the names of
/// Unicode properties. Syntax of PCRE2 alone (inline flags, possessive quantifiers, `\A`) is refused. Escapes of
/// punctuation and single brackets pass although the flag `u` forbids them: many contracts use `\-`.
struct PatternTranslation {
  private(set) var captures = PatternCaptures()
  /// The largest bound of a quantifier.
  private(set) var largestCount = 0
  /// Whether the pattern names a script; the set of scripts depends on the version of Unicode.
  private(set) var namesScript = false
  private var cursor: PatternCursor
  private var output = ""
  private var groupNames: [String: Int] = [:]
  private var groupCount = 0
  private var depth = 0
  private let countsSteps: Bool
  /// The start in the output of the last character, class or reference; `nil` after anything else.
  private var atomStart: Int?

  /// - Parameter countsSteps: Whether unbounded repetitions of a single character become groups: PCRE2 counts only the
  ///   turns of groups.
  init(_ text: String, countsSteps: Bool = false) {
    cursor = PatternCursor(text)
    self.countsSteps = countsSteps
  }

  /// The expression for PCRE2.
  mutating func translate() throws(PatternProblem) -> String {
    countGroups()
    // Whether a quantifier may follow.
    var isRepeatable = false
    while let scalar = cursor.peek {
      let start = output.utf8.count
      defer { atomStart = isRepeatable && scalar != ")" ? start : nil }
      if let quantifier = cursor.quantifier() {
        try quantify(quantifier, isRepeatable)
        isRepeatable = false
        continue
      }
      cursor.skip(1)
      switch scalar {
      case "\\":
        isRepeatable = try escape()
      case "[":
        let set = try PatternClass(&cursor)
        if set.namesScript { namesScript = true }
        output += set.text
        isRepeatable = true
      case "(":
        try group()
        isRepeatable = false
      case ")":
        guard depth > 0 else {
          throw PatternProblem("a `)` has no matching `(`", help: #"write `\)` for the character"#)
        }
        depth -= 1
        captures.close()
        output += ")"
        isRepeatable = true
      case "|":
        captures.alternative()
        output += "|"
        isRepeatable = false
      case "^", "$":
        output.unicodeScalars.append(scalar)
        isRepeatable = false
      case ".":
        output += #"[^\n\r\x{2028}\x{2029}]"#
        isRepeatable = true
      default:
        output += Self.literal(scalar)
        isRepeatable = true
      }
    }
    guard depth == 0 else { throw PatternProblem("a `(` is not closed", help: #"write `\(` for the character"#) }
    guard !captures.isAmbiguous else {
      throw PatternProblem(
        "it refers to a group that a repetition may skip, or that a lookbehind reads backwards", isLimit: true)
    }
    return output
  }

  /// Letters and digits as they are, all others by number, so that none has a meaning in the syntax of PCRE2.
  static func literal(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
    default: #"\x{"# + String(scalar.value, radix: 16) + "}"
    }
  }
}

// MARK: - Escapes

extension PatternTranslation {
  /// Translates an escape outside of a class; returns whether it may be repeated.
  private mutating func escape() throws(PatternProblem) -> Bool {
    switch cursor.peek {
    case "b", "B":
      output += cursor.peek == "b" ? #"\b"# : #"\B"#
      cursor.skip(1)
      return false
    case "k":
      var behind = cursor
      guard behind.skip("k<"), let name = behind.text(upTo: ">") else { break }
      cursor = behind
      guard let number = groupNames[name] else { throw PatternProblem("no group is named `\(name)`") }
      guard number > 0 else { throw PatternProblem("several groups are named `\(name)`", isLimit: true) }
      backReference(to: number)
      return true
    case let digit? where "1"..."9" ~= digit:
      let digits = cursor.digits
      guard let number = Int(digits), number <= groupCount else {
        throw PatternProblem(#"`\\#(digits)` refers to a group that does not exist"#)
      }
      cursor.skip(digits.utf8.count)
      backReference(to: number)
      return true
    default: break
    }
    switch try PatternEscape(&cursor) {
    case .scalar(let scalar): output += Self.literal(scalar)
    case .surrogate: output += "(?!)"
    case .set(let set): output += "[" + set + "]"
    case .script(let set):
      output += "[" + set + "]"
      namesScript = true
    }
    return true
  }

  /// Writes a reference in a group of its own: repeated without one, it fails in PCRE2 where its group has not matched,
  /// while in ECMA-262 it matches the empty text (22.2.2.9.1, BackreferenceMatcher).
  private mutating func backReference(to group: Int) {
    captures.refer(to: group)
    output += #"(?:\g{\#(group)})"#
  }
}

// MARK: - Groups and quantifiers

extension PatternTranslation {
  /// Numbers the groups first: a reference may precede its group.
  private mutating func countGroups() {
    var input = cursor
    var isInClass = false
    while let scalar = input.next() {
      switch scalar {
      case "\\": input.skip(1)
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass:
        if input.peek != "?" {
          groupCount += 1
        } else if input.skip("?<"), input.peek != "=", input.peek != "!" {
          groupCount += 1
          let name = String(String.UnicodeScalarView(input.rest.prefix { $0 != ">" }))
          // Different alternatives may use the same name (ECMA-262, 22.2.1.1).
          groupNames[name] = groupNames[name] == nil ? groupCount : 0
        }
      default: break
      }
    }
  }

  private mutating func group() throws(PatternProblem) {
    depth += 1
    guard cursor.peek == "?" else {
      captures.open(.capture)
      output += "("
      return
    }
    for opening in ["?:", "?=", "?!", "?<=", "?<!"] where cursor.skip(opening) {
      captures.open(opening.hasPrefix("?<") ? .lookbehind : .other)
      output += "(" + opening
      return
    }
    guard cursor.skip("?<"), cursor.peek != ">", let name = cursor.text(upTo: ">") else {
      throw PatternProblem(
        "`(?` does not start a group of ECMA-262", help: "ECMA-262 has no inline flags and no atomic groups")
    }
    let scalars = name.unicodeScalars
    guard scalars.allSatisfy({ $0.properties.isXIDContinue || $0 == "$" }), let first = scalars.first,
      first.properties.isXIDStart || first == "$" || first == "_"
    else { throw PatternProblem("`\(name)` is not a valid name for a group", help: "use a JavaScript identifier") }
    // Named groups become plain ones: PCRE2 limits the length of names, and no code uses them.
    captures.open(.capture)
    output += "("
  }

  private mutating func quantify(
    _ quantifier: PatternCursor.Quantifier, _ isRepeatable: Bool
  ) throws(PatternProblem) {
    guard isRepeatable else {
      throw PatternProblem(
        "`\(quantifier.text)` has nothing to repeat", help: "ECMA-262 has no possessive quantifiers")
    }
    // PCRE2 refuses numbers that do not fit in `Int`.
    for bound in [quantifier.least, quantifier.most] where bound < .max { largestCount = max(largestCount, bound) }
    if atomStart == nil { captures.quantify(from: quantifier.least, to: quantifier.most) }
    if countsSteps, let atomStart {
      let start = output.utf8.index(output.startIndex, offsetBy: atomStart)
      let atom = String(output[start...])
      output.removeSubrange(start...)
      output += Self.counted(atom, quantifier.text)
    } else {
      output += quantifier.text
    }
    if cursor.skip("?") { output += "?" }
  }

  /// A repeated character as a repeated group.
  private static func counted(_ atom: String, _ quantifier: String) -> String {
    if quantifier == "*" || quantifier == "+" { return "(?:\(atom))\(quantifier)" }
    guard quantifier.hasSuffix(",}") else { return atom + quantifier }
    return "\(atom)\(quantifier.dropLast(2))}(?:\(atom))*"
  }
}
