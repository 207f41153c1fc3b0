/// The state of a reader: stubs that were read, and remarks.
package struct ImportContext {
  package internal(set) var stubs: [Stub] = []
  package internal(set) var remarks: [Remark] = []
  /// The number of stubs in the files, carried over or not.
  package internal(set) var count = 0
  /// Collections of data, by the names of their paths.
  package internal(set) var data: [(name: String, items: JSON)] = []
  /// Whether responses are templates without saying so.
  var isAlwaysTemplate = false

  /// The maximum number of stubs; a mock with more would take minutes to start.
  static let stubLimit = 20_000

  mutating func lost(_ feature: String, _ message: String, at node: JSON) {
    remarks.append(Remark(.lost, feature, message, at: node))
  }

  mutating func differs(_ feature: String, _ message: String, at node: JSON) {
    remarks.append(Remark(.differs, feature, message, at: node))
  }

  /// The test of an expression; `nil` with a remark.
  mutating func pattern(_ text: String, isWhole: Bool, ignoringCase: Bool = false, at node: JSON) -> JSON? {
    if let pattern = ForeignPattern.ecma(text, isWhole: isWhole, ignoringCase: ignoringCase) {
      return Predicate.matches(pattern)
    }
    lost("regular expression", "`\(VisibleText.shortened(text, to: 60))` has no counterpart in ECMA-262", at: node)
    return nil
  }

  /// Fills the tags of a reply; `false` with a remark if a tag has no counterpart.
  mutating func fill(
    _ reply: inout StubReply, at node: JSON,
    _ translate: (_ content: String) throws(ForeignTemplate.Problem) -> String
  ) -> Bool {
    do throws(ForeignTemplate.Problem) {
      for index in reply.headers.indices {
        var values: [String] = []
        for value in reply.headers[index].values { values.append(try ForeignTemplate.translated(value, translate)) }
        reply.headers[index].values = values
      }
      switch reply.body {
      case .text(let text): reply.body = .text(try ForeignTemplate.translated(text, translate))
      case .json(let value):
        // Tags within strings of JSON are escaped there.
        let text = try ForeignTemplate.translated(JSONWriter.text(value), translate)
        reply.body = .text(text)
        if !reply.hasContentType { reply.addHeader("Content-Type", "application/json") }
      case .bytes(let bytes, let fileExtension):
        guard let text = String(validating: bytes, as: UTF8.self) else { return true }
        let filled = try ForeignTemplate.translated(text, translate)
        reply.body = filled.utf8Equals(text) ? .bytes(bytes, fileExtension: fileExtension) : .text(filled)
      case .none: break
      }
      reply.isTemplate = reply.texts.contains { $0.contains("{{") }
      return true
    } catch {
      lost(
        "template: \(Self.helper(of: error.tag))",
        "`\(VisibleText.shortened(error.tag, to: 60))` is not supported: \(error.message)", at: node)
      return false
    }
  }

  /// The first word of a tag, by which templates are counted.
  private static func helper(of tag: String) -> String {
    let words = tag.drop { "{#/^&(".contains($0) }.prefix { !" })'\"[".contains($0) }
    return VisibleText.shortened(String(words), to: 40)
  }
}
