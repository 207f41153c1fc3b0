/// The initial text of a new fixture: the contract's example, else a sample.
package struct FixtureDraft: Sendable {
  package let fileExtension: String
  package let bytes: [UInt8]

  package init(of cell: Cell, _ operation: CompiledOperation, seed: String) throws(SelectionProblem) {
    guard let first = cell.content.first else {
      let summary = JSONWriter.text(.string(cell.response?.description ?? ""))
      fileExtension = "yaml"
      bytes = Array("summary: \(summary)\n".utf8)
      return
    }
    let code = cell.status.code
    let made =
      if let example = first.examples.first {
        try operation.responses.example(example, in: first, cell, code: code)
      } else {
        try operation.responses.sample(of: first, cell, code: code, seed: seed)
      }
    fileExtension = FileExtension.forMediaType(first.range)
    // One member a line, for editing.
    if fileExtension == "json", let document = try? JSONParser.parse(made.body) {
      bytes = JSONWriter.bytes(document.root, .pretty) + [0x0A]
    } else {
      bytes = made.body
    }
  }
}
