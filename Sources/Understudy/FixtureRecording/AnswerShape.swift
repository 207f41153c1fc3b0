/// The shape of an answer: its media type, and what distinguishes its body.
struct AnswerShape: Hashable, Sendable {
  /// `application/json`; empty without a body.
  var mediaType: String
  /// `nil` for a body that is not JSON.
  var body: BodyShape?

  /// - Parameter content: The body without its content codings.
  init(_ content: [UInt8], _ type: MediaRange?, schema: ResolvedSchema = .any) {
    mediaType = content.isEmpty ? "" : type?.essence ?? "application/octet-stream"
    guard !content.isEmpty, type?.syntax == .json, let root = try? JSONParser.parse(content).root else { return }
    body = BodyShape(root, schema)
  }

  /// Whether two shapes differ outside of lists and maps.
  func isLike(_ other: AnswerShape) -> Bool { mediaType == other.mediaType && body?.outer == other.body?.outer }
}

extension CompiledOperation {
  /// The shape of an answer of this operation.
  func shape(of content: [UInt8], status: Int, type: MediaRange?) -> AnswerShape {
    AnswerShape(content, type, schema: schema(ofAnswer: status, type: type))
  }

  /// The schema of an answer's body; that of any value where none is documented.
  func schema(ofAnswer status: Int, type: MediaRange?) -> ResolvedSchema {
    let content = operation.response(for: status)?.content ?? []
    let ranges = content.compactMap { object in MediaRange(object.range).map { (object, $0) } }
    guard let type, let index = MediaRange.mostSpecific(of: ranges.map(\.1), for: type) else { return .any }
    return ranges[index].0.schema.map(schemas.resolved) ?? .any
  }
}
