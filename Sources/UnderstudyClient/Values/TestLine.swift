/// A line of a test.
struct TestLine: Sendable, Hashable {
  let fileID: String
  let filePath: String
  let line: Int
  let column: Int

  init(_ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// `ChatTests/ChatTests.swift:12`
  var text: String { "\(fileID):\(line)" }
}
