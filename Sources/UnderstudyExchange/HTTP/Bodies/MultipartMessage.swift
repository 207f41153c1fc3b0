/// A multipart body, split at its boundary (RFC 2046, section 5.1; RFC 7578).
package struct MultipartMessage: Sendable {
  package static let partLimit = 1_000
  /// Bytes of the largest header of a part.
  package static let headerLimit = 16_384

  package struct Part: Sendable {
    /// `name` of its Content-Disposition.
    package var name: String?
    /// `filename` or `filename*`.
    package var filename: String?
    package var contentType: MediaRange?
    /// Every header line, names in lower case.
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8]
    /// Where its body is in the whole.
    package var range = 0..<0

    /// A Content-Transfer-Encoding that changes the bytes, which form-data must not have.
    var transferEncoding: String? {
      let coding = fields.first { $0.name == "content-transfer-encoding" }?.value
      return coding.flatMap { ["7bit", "8bit", "binary", ""].contains($0.lowercased()) ? nil : $0 }
    }
  }

  package var parts: [Part] = []

  /// Splits a body; a preamble and an epilogue are skipped, bare line feeds are line ends.
  package init(_ bytes: [UInt8], boundary: String) throws(DecodingProblem) {
    let delimiter = Array("--\(boundary)".utf8)
    guard var position = Self.next(delimiter, in: bytes, from: 0)?.upperBound else {
      throw Self.problem(
        bytes.isEmpty
          ? "the multipart body is empty" : "the multipart body has no line `--\(boundary)`, its boundary")
    }
    while !bytes[position...].starts(with: "--".utf8) {
      guard parts.count < Self.partLimit else {
        throw Self.problem("the multipart body has more than \(Self.partLimit) parts", .limit)
      }
      guard let lineEnd = bytes[position...].firstIndex(of: UInt8(ascii: "\n")),
        let end = Self.next(delimiter, in: bytes, from: lineEnd)
      else {
        throw Self.problem(
          "the multipart body is cut off in part \(parts.count + 1): its last line `--\(boundary)--` is missing")
      }
      parts.append(try Self.part(bytes, (lineEnd + 1)..<max(lineEnd + 1, end.lowerBound), number: parts.count + 1))
      position = end.upperBound
    }
  }

  /// The next delimiter at the start of a line, with the line end before it.
  private static func next(_ delimiter: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
    bytes.withUnsafeBufferPointer { bytes in
      var position = start
      while position + delimiter.count <= bytes.count {
        let isLineStart = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
        if isLineStart, bytes[position] == UInt8(ascii: "-"), bytes[position...].starts(with: delimiter),
          endsDelimiter(bytes, at: position + delimiter.count)
        {
          var lower = position
          if lower > start, bytes[lower - 1] == UInt8(ascii: "\n") { lower -= 1 }
          if lower > start, lower < position, bytes[lower - 1] == UInt8(ascii: "\r") { lower -= 1 }
          return lower..<position + delimiter.count
        }
        position += 1
      }
      return nil
    }
  }

  /// Whether a delimiter ends: with `--`, white space or the line end, since data may start with the boundary.
  private static func endsDelimiter(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    if bytes[position...].starts(with: "--".utf8) { return true }
    return bytes[position...].first { !FieldSyntax.isBlank($0) }.map { $0 == 13 || $0 == 10 } ?? true
  }

  private static func part(_ bytes: [UInt8], _ range: Range<Int>, number: Int) throws(DecodingProblem) -> Part {
    var part = Part(body: [])
    var position = range.lowerBound
    while position < range.upperBound {
      let end = bytes[position..<range.upperBound].firstIndex(of: UInt8(ascii: "\n")) ?? range.upperBound
      var line = Array(bytes[position..<end])
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      position = min(end + 1, range.upperBound)
      if line.isEmpty {
        part.body = Array(bytes[position..<range.upperBound])
        part.range = position..<range.upperBound
        return part
      }
      guard position - range.lowerBound <= headerLimit else {
        throw problem("the header of part \(number) is larger than \(headerLimit) bytes", .limit)
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        throw problem("part \(number) has a header line without a colon; is the empty line before its content missing?")
      }
      part.take(FieldSyntax.lowercased(line[..<colon]), FieldSyntax.trimmed(Array(line[(colon + 1)...])))
    }
    return part  // Without content, the grammar does not require the empty line.
  }

  private static func problem(_ sentence: String, _ kind: DecodingProblem.Kind = .syntax) -> DecodingProblem {
    DecodingProblem(kind, "", sentence)
  }
}

extension MultipartMessage.Part {
  fileprivate mutating func take(_ field: String, _ value: [UInt8]) {
    fields.append((field, String(decoding: value, as: UTF8.self)))
    switch field {
    case "content-type": contentType = MediaRange(String(decoding: value, as: UTF8.self))
    case "content-disposition":
      for parameter in FieldSyntax.split(value, at: UInt8(ascii: ";")).dropFirst() {
        let (key, value) = FieldSyntax.parameter(parameter)
        guard let value else { continue }
        switch key {
        case "name": name = name ?? Self.unescaped(value)
        case "filename": filename = filename ?? Self.unescaped(value)
        case "filename*": filename = Self.extended(value) ?? filename
        default: break
        }
      }
    default: break
    }
  }

  /// Browsers encode only quotes and line ends, as `%22`, `%0D` and `%0A` (HTML, "multipart/form-data").
  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes = Array(text.utf8)
    for (escape, byte) in [("%22", UInt8(ascii: "\"")), ("%0D", 13), ("%0A", 10)] {
      for range in bytes.ranges(of: Array(escape.utf8)).reversed() { bytes.replaceSubrange(range, with: [byte]) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `UTF-8''a%20b` (RFC 8187); `nil` for other charsets.
  private static func extended(_ text: String) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, FieldSyntax.equalIgnoringCase(parts[0], "utf-8".utf8) else { return nil }
    return PercentEncoding.decode(ArraySlice(parts[2]))
  }
}
