/// The templates of a response, which follow from its body and header fields: two of them are always equal.
package struct ReplyTemplate: Sendable, Hashable {
  let template: ResponseTemplate
  /// The names in it that never have a value, each with the text of its template.
  let unknown: [(name: FixtureTemplate.UnknownName, text: [UInt8])]

  /// A text that is not a template.
  struct Invalid: Error {
    let problem: TextProblem
    let text: [UInt8]
  }

  /// The body is escaped as its `Content-Type` asks.
  init(_ body: [UInt8], _ headers: [(name: String, value: String)]) throws(Invalid) {
    let type = headers.first { FieldSyntax.equalIgnoringCase($0.name.utf8, "content-type".utf8) }?.value
    let content = try Self.read(body, type.map(FileExtension.forMediaType) ?? "txt")
    var fields: [FixtureTemplate] = []
    for header in headers {
      let field = try Self.read(Array(header.value.utf8), "txt")
      if !field.isConstant { fields.append(field) }
    }
    template = ResponseTemplate(body: content, headers: fields)
    unknown = ([content] + fields).flatMap { template in
      template.unknownNames(in: .fixture).map { ($0, template.text) }
    }
  }

  private static func read(_ text: [UInt8], _ fileExtension: String) throws(Invalid) -> FixtureTemplate {
    do throws(TextProblem) {
      return try FixtureTemplate(text, fileExtension: fileExtension)
    } catch {
      throw Invalid(problem: error, text: text)
    }
  }

  package static func == (first: Self, second: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
