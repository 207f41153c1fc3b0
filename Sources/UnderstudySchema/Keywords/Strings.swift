/// `minLength`, `maxLength` and `pattern`.
extension Compiler {
  mutating func compileStrings(_ schema: SchemaContext) {
    emitBound(.minLength, of: .minLength, .string, in: schema, trivial: 0)
    emitBound(.maxLength, of: .maxLength, .string, in: schema)
    if let node = schema[.pattern] {
      guard let text = node.string else { return reportWrongValue(.pattern, "a string", node) }
      do throws(BrokenPattern) {
        emit(.pattern, .string, try pattern(text, at: node), at: node, in: schema)
      } catch {
        emitRefusal(error.reason, for: .string, at: node, in: schema)
      }
    }
  }

  /// Compiles a pattern; reports one that cannot be used.
  mutating func pattern(_ text: String, at node: JSON) throws(BrokenPattern) -> UInt32 {
    do throws(PatternProblem) {
      return try builder.pattern(text)
    } catch {
      let quoted = Wording.quote(node)
      let pattern = "the pattern `\(quoted.dropFirst().dropLast())`"
      guard error.isLimit else {
        report(.invalidPattern, "\(pattern) is invalid: \(error.message)", at: node, help: error.help)
        throw BrokenPattern(reason: "\(pattern) is invalid")
      }
      report(.patternTooLarge, "\(pattern) is not supported: \(error.message)", at: node)
      throw BrokenPattern(reason: "\(pattern) is not supported")
    }
  }

  /// The reason why values that depend on a reported pattern are not validated.
  struct BrokenPattern: Error { let reason: String }
}

extension Evaluator {
  /// Whether a string has at least so many code points (Validation 2020-12, 6.3.1), of at most four bytes each.
  @inline(__always)
  func isLength(of node: JSONDocument.Node, atLeast bound: UInt32) -> Bool {
    if node.count < bound { return false }
    if node.count / 4 >= bound { return true }
    return codePoints(in: text(of: node)) >= Int(bound)
  }

  @inline(__always)
  func isLength(of node: JSONDocument.Node, atMost bound: UInt32) -> Bool {
    if node.count <= bound { return true }
    if node.count / 4 > bound { return false }
    return codePoints(in: text(of: node)) <= Int(bound)
  }

  private func codePoints(in text: UnsafeBufferPointer<UInt8>) -> Int {
    // Cheap: as fast as reading memory.
    charge(text.count >> 8)
    var count = 0
    for byte in text where byte & 0xC0 != 0x80 { count &+= 1 }
    return count
  }

  @inline(__always)
  func isMatch(_ pattern: UInt32, _ node: JSONDocument.Node) -> Bool {
    isMatch(pattern, text(of: node))
  }
}

extension FailureCollector {
  func lengthFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let text = value.text
    let length = text.unicodeScalars.count
    let isMinimum = instruction.operation == .minLength
    // Code points are named if the number of characters differs, in texts that are short enough to count.
    let isCountedAlike = text.utf8.count > 10_000 || text.count == length
    let limit = Wording.count(Int(instruction.a), isCountedAlike ? "character" : "code point")
    return KeywordFailure(
      isMinimum ? "minLength" : "maxLength",
      "expected \(isMinimum ? "at least" : "at most") \(limit), found \(length) in \(Wording.quote(value))")
  }

  func patternFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    // Without the escapes of JSON.
    KeywordFailure(
      "pattern",
      "expected a string that matches `\(Wording.excerpt(origin(instruction).text))`, found \(Wording.quote(value))")
  }
}
