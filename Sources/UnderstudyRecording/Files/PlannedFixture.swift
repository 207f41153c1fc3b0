/// A fixture that is to be written, with its place.
package struct PlannedFixture: Sendable {
  package var operation: CompiledOperation
  var status: Int
  package var name: String?
  var answer: RecordedAnswer
  var when: RequestMatcher?
  /// Whether it names the body's file of the default of its cell.
  var sharesBody = false
  /// The body's file of a fixture that exists, beside it.
  var existingBody: String?

  package init(
    operation: CompiledOperation, status: Int, name: String? = nil, answer: RecordedAnswer, when: RequestMatcher? = nil,
    existingBody: String? = nil
  ) {
    self.operation = operation
    self.status = status
    self.name = name
    self.answer = answer
    self.when = when
    self.existingBody = existingBody
  }

  /// The folder of bodies that are described, beside their descriptions.
  static let bodies = "bodies"
  /// A longer text has a file of its own.
  static let inlineLimit = 200

  /// `200.empty`
  package var stem: String { "\(status)" + (name.map { ".\($0)" } ?? "") }
  /// `readChat/200.empty`
  package var label: String { "\(operation.id)/\(stem)" }

  private var statedType: String? { answer.statedType(in: operation) }

  /// Whether the file of the body alone is the fixture.
  package var isPlain: Bool {
    when == nil && answer.template == nil && answer.headers.isEmpty && answer.violations.isEmpty && statedType == nil
      && answer.pauses.isEmpty
      && !answer.body.isEmpty && !answer.lacksType && !answer.hasTag
  }

  /// The file with the description of the fixture, below the folder of the contract.
  package var path: String { "\(operation.id)/\(stem).\(isPlain ? answer.fileExtension : "yaml")" }

  /// The file of the body, beside it; `nil` if the description has the body.
  var bodyFile: String? {
    if let existingBody { return existingBody }
    if sharesBody {
      var owner = self
      (owner.name, owner.when, owner.sharesBody) = (nil, nil, false)
      return owner.bodyFile
    }
    if isPlain { return "\(stem).\(answer.fileExtension)" }
    return answer.body.isEmpty || inlineText != nil ? nil : "\(Self.bodies)/\(stem).\(answer.fileExtension)"
  }

  /// The body, if it is one short line of text.
  private var inlineText: String? {
    guard answer.fileExtension != "json", answer.template == nil, answer.body.count <= Self.inlineLimit,
      MediaRange(answer.contentType ?? "")?.syntax == .text,
      let text = String(validating: answer.body, as: UTF8.self), !text.utf8.contains(where: { $0 < 0x20 })
    else { return nil }
    return text
  }

  /// The files by their paths below the folder of the contract.
  package var files: [(path: String, bytes: [UInt8])] {
    if isPlain { return [(path, answer.body)] }
    var description = FixtureDescription()
    let isEmpty = answer.body.isEmpty
    let documented = operation.operation.response(for: status)?.description ?? ""
    if isEmpty, !documented.isEmpty { description.summary = VisibleText.line(documented) }
    // A text in the description has no extension that would state its type.
    description.contentType = inlineText == nil || sharesBody || existingBody != nil ? statedType : answer.contentType
    description.headers = answer.headers
    description.lacksType = answer.lacksType
    description.when = when
    description.pauses = answer.pauses
    description.violations = answer.violations
    description.template = answer.template != nil ? true : answer.hasTag ? false : nil
    description.bodyFile = bodyFile
    let isShared = sharesBody || existingBody != nil
    if !isShared { description.bodyText = inlineText }
    let text = (path, Array(description.text.utf8))
    guard !isShared, let bodyFile else { return [text] }
    return [text, ("\(operation.id)/\(bodyFile)", answer.template ?? answer.body)]
  }
}
