/// The content of a response, reduced to what shows a change of the server.
struct AnswerDigest: Sendable {
  /// The hash without ids and times.
  let masked: Int
  /// The number of elements in all lists of a JSON body; 0 for any other body.
  let elements: Int

  /// - Parameters:
  ///   - content: The hash of the whole content.
  ///   - body: The body without volatile values.
  ///   - headers: The fields that a fixture keeps.
  ///   - masksValues: Whether ids and times do not count.
  init(
    _ response: Exchange.Response, content: Int, _ body: [UInt8], _ headers: [(name: String, value: String)],
    masksValues: Bool
  ) {
    masked = masksValues ? response.hash(with: VolatileText.maskedValues(body), headers) : content
    guard response.mediaType?.syntax == .json, let root = try? JSONParser.parse(body).root else {
      elements = 0
      return
    }
    elements = Self.elements(of: root)
  }

  /// Recursive, since the parser limits the depth.
  private static func elements(of value: JSON) -> Int {
    value.elements.reduce(value.elements.count) { $0 + elements(of: $1) }
      + value.members.reduce(0) { $0 + elements(of: $1.value) }
  }
}
