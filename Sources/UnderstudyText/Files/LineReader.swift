import UnderstudySystem

/// Reads a file or a pipe line by line, so that the whole need not fit into memory.
package struct LineReader: ~Copyable {
  /// The default limit for the bytes of a line.
  package static let maximumLineBytes = FileSystem.maximumBytes

  private let descriptor: Int32
  private let path: String
  private let maximumLineBytes: Int
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  /// The unread part of the chunk.
  private var rest = 0..<0
  private var isAtEnd = false
  /// The number of the last line that was returned, from 1.
  package private(set) var number = 0

  package init(_ path: String, shownAs: String? = nil, maximumLineBytes: Int = maximumLineBytes) throws(FileProblem) {
    self.path = shownAs ?? path
    self.maximumLineBytes = maximumLineBytes
    do {
      descriptor = try FileSystem.openForReading(path).descriptor
    } catch {
      throw FileProblem(error.kind, self.path, error.message, help: error.help)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the next line without its line break; `nil` at the end.
  package mutating func next() throws(FileProblem) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if rest.isEmpty {
        try fill()
        guard !isAtEnd else {
          guard !line.isEmpty else { return nil }
          number += 1
          return line
        }
      }
      let end = chunk[rest].firstIndex(of: UInt8(ascii: "\n"))
      line.append(contentsOf: chunk[rest.lowerBound..<(end ?? rest.upperBound)])
      rest = (end.map { $0 + 1 } ?? rest.upperBound)..<rest.upperBound
      guard line.count <= maximumLineBytes else {
        throw FileProblem(
          .tooLarge, path, "line \(number + 1) is longer than \(maximumLineBytes.asBytes); the rest was not read",
          help: "each line must hold one value")
      }
      if end != nil {
        number += 1
        return line
      }
    }
  }

  private mutating func fill() throws(FileProblem) {
    guard !isAtEnd else { return }
    while true {
      let got = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileSystem.problem(path, errno) }
      isAtEnd = got == 0
      rest = 0..<got
      return
    }
  }
}
