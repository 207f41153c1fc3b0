/// The initial text of a new fixture: the contract's example, else a sample.
package struct FixtureDraft: Sendable {
  package let fileExtension: String
  package let bytes: [UInt8]
  /// The finding about the contract's example that a sample replaces.
  package private(set) var replaced: Diagnostic?

  package init(of cell: CompiledCell, _ operation: CompiledOperation, seed: String) throws(SelectionProblem) {
    let code = cell.status.code
    // HEAD and some statuses have no body, even if the contract documents one (RFC 9110, 9.3.2, 15.3.5).
    guard !cell.offers.isEmpty, operation.operation.method != "HEAD", !CompiledCell.isBodiless(code) else {
      (fileExtension, bytes) = Self.description(of: cell)
      return
    }
    var made = try Self.answer(of: cell, operation, seed: seed, isDynamic: false)
    let broken = operation.findings(about: made).first {
      $0.severity == .error && $0.location?.pointer?.utf8.starts(with: "/body".utf8) == true
    }
    // Where nothing fits, the author's own value is the best there is.
    if broken != nil, let sample = try? Self.answer(of: cell, operation, seed: seed, isDynamic: true) {
      made = sample
      replaced = broken
    }
    let contentType = made.response.headerFields.contentType ?? ""
    let own = FileExtension.forMediaType(contentType)
    if MediaRange(contentType)?.syntax == .multipart {
      // Only a description has room for the boundary.
      let text = JSONWriter.text(.string(String(decoding: made.body, as: UTF8.self)))
      let type = JSONWriter.text(.string(contentType))
      (fileExtension, bytes) = Self.description(of: cell, "contentType: \(type)", "text: \(text)")
    } else if own == "json", let document = try? JSONParser.parse(made.body) {
      // People will edit it: one member a line.
      (fileExtension, bytes) = (own, JSONWriter.bytes(document.root, .pretty) + [0x0A])
    } else {
      (fileExtension, bytes) = (own, made.body)
    }
  }

  private static func description(of cell: CompiledCell, _ lines: String...) -> (fileExtension: String, bytes: [UInt8])
  {
    let summary = "summary: \(JSONWriter.text(.string(cell.response?.description ?? "")))"
    return ("yaml", Array(([summary] + lines).map { $0 + "\n" }.joined().utf8))
  }

  private static func answer(
    of cell: CompiledCell, _ operation: CompiledOperation, seed: String, isDynamic: Bool
  ) throws(SelectionProblem) -> ContractResponses.Made {
    var first: SelectionProblem?
    for asJSON in [false, true] {
      for content in cell.offers {
        do throws(SelectionProblem) {
          return try operation.responses.answer(
            in: content, cell, code: cell.status.code, seed: seed, isDynamic: isDynamic, asJSON: asJSON)
        } catch {
          first = first ?? error
        }
      }
    }
    throw first
      ?? SelectionProblem(kind: .noBody, message: "\(operation.id)/\(cell.status) has no media type", help: "")
  }
}
