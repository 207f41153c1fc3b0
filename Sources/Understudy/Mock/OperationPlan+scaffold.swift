import SourceText

extension OperationPlan {
  /// The file extension and content of a new fixture: the contract's example, else a sample.
  package func scaffold(_ cell: Cell, seed: String) throws(SelectionProblem) -> (fileExtension: String, bytes: [UInt8])
  {
    guard let first = cell.content.first else {
      let summary = JSONWriter.text(.string(cell.response?.description ?? ""))
      return ("yaml", Array("summary: \(summary)\n".utf8))
    }
    let code = cell.status.code
    let selection =
      if let example = first.examples.first {
        try responses.example(example, in: first, cell: cell, code: code)
      } else {
        try responses.sample(of: first, cell: cell, code: code, seed: seed)
      }
    guard case .made(_, let body) = selection.content else { return ("txt", []) }
    let fileExtension = FileExtension.forMediaType(first.range)
    // People will edit it: one member a line.
    if fileExtension == "json", let document = try? JSONParser.parse(body) {
      return (fileExtension, JSONWriter.bytes(document.root, .pretty) + [0x0A])
    }
    return (fileExtension, body)
  }
}
