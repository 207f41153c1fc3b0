/// The records of a stream with their terminators: events (HTML, 9.2.5), or JSON texts (RFC 7464, or one a line).
package struct StreamRecords {
  private let bytes: [UInt8]
  /// The end of each record; bytes behind the last end are a record too.
  package private(set) var ends: [Int] = []

  /// `nil` for a media type without records.
  package init?(_ bytes: [UInt8], _ type: MediaRange?) {
    self.bytes = bytes
    switch type?.syntax {
    case .eventStream?: findEvents()
    case .jsonSequence?: findTexts(type.map { $0.subtype.hasSuffix("json-seq") } == true)
    default: return nil
    }
    if let last = bytes.indices.last, ends.last != last + 1 { ends.append(last + 1) }
  }

  package var count: Int { ends.count }

  /// The bytes of each record.
  package var records: [[UInt8]] { zip([0] + ends, ends).map { Array(bytes[$0..<$1]) } }

  /// An empty line ends an event; CRLF, LF and CR end a line.
  private mutating func findEvents() {
    var isLineEmpty = true
    var position = 0
    while position < bytes.count {
      guard bytes[position] == 10 || bytes[position] == 13 else {
        isLineEmpty = false
        position += 1
        continue
      }
      position += bytes[position] == 13 && bytes.dropFirst(position + 1).first == 10 ? 2 : 1
      if isLineEmpty { ends.append(position) }
      isLineEmpty = true
    }
  }

  /// - Parameter isSequence: Whether a record begins with a record separator (RFC 7464, 2.2) in place of ending with LF.
  private mutating func findTexts(_ isSequence: Bool) {
    for (position, byte) in bytes.enumerated() {
      if isSequence ? byte == 0x1E && position > 0 : byte == 10 { ends.append(isSequence ? position : position + 1) }
    }
  }
}
