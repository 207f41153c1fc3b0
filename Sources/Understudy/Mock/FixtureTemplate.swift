import Mustache
import SourceText

/// A body with Mustache placeholders: `{{request.body.chat}}`, `{{now}}`.
///
/// In a JSON body the inserted text is escaped as JSON, in HTML and XML as such, in anything else not at all.
package struct FixtureTemplate: Sendable {
  private let template: MustacheTemplate
  package let fileExtension: String

  package init(_ text: String, fileExtension: String) throws(FixtureTemplateProblem) {
    _ = Self.registration
    let contentType: String
    switch fileExtension {
    case "json", "ndjson": contentType = "JSON"
    case "html", "xml", "svg": contentType = "HTML"
    default: contentType = "TEXT"
    }
    do {
      template = try MustacheTemplate(string: "{{% CONTENT_TYPE:\(contentType)}}\(text)")
    } catch {
      throw FixtureTemplateProblem(error, in: text)
    }
    self.fileExtension = fileExtension
  }

  /// The body for one request; unknown names render as nothing, as Mustache has it.
  package func render(_ request: any RequestValues, now: String) -> [UInt8] {
    var parts: [String: Any] = [:]
    for part in RequestPart.allCases {
      var values: [String: Any] = [:]
      for (name, found) in request.all(part) { values[name] = found.count == 1 ? found[0] : found }
      parts[part.rawValue] = values
    }
    return Array(template.render(["request": parts, "now": now] as [String: Any]).utf8)
  }

  /// Mustache knows HTML and TEXT; JSON joins them once per process.
  private static let registration: Void = MustacheContentTypes.register(JSONContentType(), named: "JSON")

  /// Escapes text for the inside of a JSON string.
  private struct JSONContentType: MustacheContentType {
    func escapeText(_ text: String) -> String {
      var bytes: [UInt8] = []
      JSONWriter.quote(text.utf8, into: &bytes)
      return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
  }
}
