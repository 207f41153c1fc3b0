/// Replacements in a text, of which the first that covers a byte counts.
package struct TextEdits {
  private let bytes: [UInt8]
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func replace(_ range: Range<Int>, with text: [UInt8]?) {
    if let text { edits.append((range, text)) }
  }

  /// The occurrences of a byte string within a range.
  func ranges(of text: [UInt8], in part: Range<Int>) -> [Range<Int>] {
    text.isEmpty ? [] : bytes[part].ranges(of: text)
  }

  /// The replaced ranges, to be asked from left to right.
  struct Coverage {
    fileprivate let ranges: [Range<Int>]
    fileprivate var next = 0

    mutating func overlaps(_ range: Range<Int>) -> Bool {
      while next < ranges.count, ranges[next].upperBound <= range.lowerBound { next += 1 }
      return next < ranges.count && ranges[next].lowerBound < range.upperBound
    }
  }

  var coverage: Coverage { Coverage(ranges: edits.map(\.range).sorted { $0.lowerBound < $1.lowerBound }) }

  /// The text with its replacements; `nil` if there are none.
  package var result: [UInt8]? {
    guard !edits.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    // Of those that start together the longest.
    for (range, text) in edits.sorted(by: {
      ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
    })
    where range.lowerBound >= position {
      result += bytes[position..<range.lowerBound]
      result += text
      position = range.upperBound
    }
    return result + bytes[position...]
  }
}

extension ArraySlice<UInt8> {
  /// The text with some of its parts replaced; `nil` if none is.
  func replacingParts(separatedBy separator: UInt8, _ replacement: (ArraySlice<UInt8>) -> [UInt8]?) -> [UInt8]? {
    var isChanged = false
    let parts = split(separator: separator, omittingEmptySubsequences: false).map { part -> [UInt8] in
      guard let replaced = replacement(part) else { return Array(part) }
      isChanged = true
      return replaced
    }
    return isChanged ? Array(parts.joined(separator: [separator])) : nil
  }
}
