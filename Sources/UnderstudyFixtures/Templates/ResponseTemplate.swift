package import HTTPTypes

/// The parts of a response that are filled for each request: the body and header fields.
package struct ResponseTemplate: Sendable {
  private let body: FixtureTemplate
  private let headers: [FixtureTemplate]

  /// - Parameter headers: The templates of header fields, which have the values of the fields as their texts.
  package init(body: FixtureTemplate, headers: [FixtureTemplate]) { (self.body, self.headers) = (body, headers) }

  package struct Filled: Sendable {
    package var fields: HTTPFields
    package var body: [UInt8]
  }

  /// The reason that a response cannot be filled.
  package struct Failure: Error {
    /// With the tag and its position in the template.
    package let message: String
  }

  /// The response to a request. Body and header fields draw the same random values: the first `{{uuid}}` of a field is that
  /// of the body.
  package func filled(
    _ fields: HTTPFields, _ request: any RequestValues, _ environment: TemplateEnvironment
  ) throws(Failure) -> Filled {
    var filled = Filled(fields: fields, body: try Self.text(body, "the body", request, environment))
    if headers.isEmpty { return filled }
    for index in fields.indices {
      let (name, value) = (fields[index].name.rawName, fields[index].value)
      guard let template = headers.first(where: { $0.text.elementsEqual(value.utf8) }) else { continue }
      let bytes = try Self.text(template, "the header field `\(name)`", request, environment)
      let text = String(decoding: bytes, as: UTF8.self)
      guard HeaderText.isValue(text) else {
        throw Failure(message: "the header field `\(name)` cannot have a value with line breaks or control characters")
      }
      filled.fields[index].value = text
    }
    return filled
  }

  private static func text(
    _ template: FixtureTemplate, _ title: String, _ request: any RequestValues, _ environment: TemplateEnvironment
  ) throws(Failure) -> [UInt8] {
    let rendering = template.rendered(request, environment)
    guard let problem = rendering.failure else { return rendering.text }
    let position = template.position(of: problem.range)
    let tag = VisibleText.shortened(String(decoding: template.text[problem.range], as: UTF8.self), to: 80)
    throw Failure(
      message: "\(problem.message), at `\(tag)` in line \(position.line), column \(position.column) of \(title)"
        + (problem.help.map { " (\($0))" } ?? ""))
  }
}

extension FixtureTemplate {
  /// The line and the column in code points where a range begins, from 1.
  fileprivate func position(of range: Range<Int>) -> (line: Int, column: Int) {
    let before = text[..<range.lowerBound]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (
      before.count { $0 == UInt8(ascii: "\n") } + 1,
      String(decoding: text[start..<range.lowerBound], as: UTF8.self).unicodeScalars.count + 1
    )
  }
}

extension Fixture {
  /// The response to a request, ready to be validated; a fault does not count.
  package func answer(
    to request: any RequestValues, in operation: CompiledOperation
  ) throws(ResponseTemplate.Failure) -> ResponseView {
    switch body {
    case .bytes(let bytes, _): return answer(bytes, in: operation)
    case .template(let body):
      let template = ResponseTemplate(body: body, headers: headerTemplates)
      let filled = try template.filled(HTTPFields(headers(in: operation)), request, .sample)
      return answer(filled.body, filled.fields, in: operation)
    }
  }
}
