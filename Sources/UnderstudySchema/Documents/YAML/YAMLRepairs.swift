import CUnderstudyYAML
import UnderstudySystem

/// Replaces text that YAML 1.2 allows and libyaml refuses before the parser reads it, and restores it in the scalars.
///
/// Each character is replaced by one of the same length in bytes, so the positions in the file remain valid.
///
/// - U+2028, U+2029 and U+0085 break lines in YAML 1.1 only; since 1.2 they are text (YAML 1.2.2, 5.4).
/// - A tab may follow the indentation of the first line of a block scalar, where it is text (8.1.1.1, 8.1.2).
struct YAMLRepairs {
  /// The text for the parser.
  private(set) var text: [UInt8]
  /// The characters that replace the line breaks of YAML 1.1.
  private var substitutes: [(original: [UInt8], substitute: [UInt8])] = []
  private var tabs: [Tab] = []

  private struct Tab {
    var offset: Int
    /// The problem that libyaml reports.
    var problem: TextProblem
    /// Whether it was restored in a block scalar.
    var isRestored = false
  }

  /// Each tab costs another reading of the text.
  static let tabLimit = 64

  /// The line breaks of YAML 1.1, and characters of the same length that are unlikely in a text: noncharacters and
  /// unassigned code points, which libyaml accepts.
  private static let breaks: [(original: [UInt8], candidates: [[UInt8]])] = [
    ([0xE2, 0x80, 0xA8], noncharacters), ([0xE2, 0x80, 0xA9], noncharacters.reversed()),
    ([0xC2, 0x85], [[0xCD, 0xB8], [0xCD, 0xB9]]),
  ]
  /// U+FDD0 to U+FDD3.
  private static let noncharacters: [[UInt8]] = [0x90, 0x91, 0x92, 0x93].map { [0xEF, 0xB7, $0] }
  /// Replaces a tab, since libyaml reads a letter as text.
  private static let letter = UInt8(ascii: "t")

  init(_ text: [UInt8]) {
    self.text = text
    for (original, candidates) in Self.breaks {
      let found = Self.offsets(of: original, in: text)
      guard !found.isEmpty,
        let substitute = candidates.first(where: { Self.offsets(of: $0, in: self.text).isEmpty })
      else { continue }
      for offset in found { self.text.replaceSubrange(offset..<offset + original.count, with: substitute) }
      substitutes.append((original, substitute))
    }
  }

  /// Whether scalars have to be restored.
  var changesText: Bool { !substitutes.isEmpty || !tabs.isEmpty }

  /// Replaces the tab that caused a problem; returns `false` if the problem has another cause.
  mutating func mend(_ problem: TextProblem) -> Bool {
    let offset = problem.range.lowerBound
    guard problem.isTabInBlockScalar, tabs.count < Self.tabLimit, text.indices.contains(offset), offset > 0,
      text[offset] == UInt8(ascii: "\t"), text[offset - 1] == UInt8(ascii: " ")
    else { return false }
    text[offset] = Self.letter
    tabs.append(Tab(offset: offset, problem: problem))
    return true
  }

  /// The problem of a replaced tab outside of a block scalar, whose line is not indented deeply enough.
  var misplaced: TextProblem? { tabs.first { !$0.isRestored }?.problem }

  /// The problem of the replaced tab in the same line, if any, since it is the cause; else the problem itself.
  func cause(of problem: TextProblem) -> TextProblem {
    tabs.first { $0.offset..<$0.offset + restOfLine(from: $0.offset) ~= problem.range.lowerBound }?.problem ?? problem
  }

  /// The bytes from an offset to the end of its line.
  private func restOfLine(from offset: Int) -> Int {
    text[offset...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.count
  }

  /// Restores the text of the scalar at `range`.
  mutating func undo(
    in scalar: UnsafeMutableBufferPointer<UInt8>, at range: Range<Int>, _ style: yaml_scalar_style_t
  ) {
    for (original, substitute) in substitutes {
      for offset in Self.offsets(of: substitute, in: scalar) {
        for (position, byte) in original.enumerated() { scalar[offset + position] = byte }
      }
    }
    let isFolded = style == YAML_FOLDED_SCALAR_STYLE
    guard isFolded || style == YAML_LITERAL_SCALAR_STYLE,
      let index = tabs.firstIndex(where: { range.contains($0.offset) }),
      let first = scalar.firstIndex(where: { $0 != UInt8(ascii: "\n") }), scalar[first] == Self.letter
    else { return }
    scalar[first] = UInt8(ascii: "\t")
    tabs[index].isRestored = true
    // A line that starts with white space is not folded into the next (8.1.3).
    let length = restOfLine(from: tabs[index].offset)
    guard isFolded, first + length < scalar.count, scalar[first + length] == UInt8(ascii: " ") else { return }
    scalar[first + length] = UInt8(ascii: "\n")
  }

  private static func offsets(of pattern: [UInt8], in text: some RandomAccessCollection<UInt8>) -> [Int] {
    text.withContiguousStorageIfAvailable { bytes in
      guard let start = UnsafeRawPointer(bytes.baseAddress) else { return [] }
      var found: [Int] = []
      var position = 0
      while position < bytes.count, let next = memchr(start + position, CInt(pattern[0]), bytes.count - position) {
        position = UnsafeRawPointer(next) - start
        if bytes[position...].starts(with: pattern) {
          found.append(position)
          position += pattern.count
        } else {
          position += 1
        }
      }
      return found
    } ?? []
  }
}
