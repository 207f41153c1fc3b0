/// The shape of an answer: its media type, and what distinguishes its body.
struct AnswerShape: Hashable, Sendable {
  /// `application/json`; empty without a body.
  var mediaType: String
  /// `nil` for a body that is not JSON.
  var body: BodyShape?

  /// - Parameters:
  ///   - content: The body without its content codings.
  ///   - volatile: The places of the body that do not count.
  ///   - marksFractions: Whether fractions differ from integers.
  init(
    _ content: [UInt8], _ type: MediaRange?, schema: ResolvedSchema = .any,
    volatile: VolatilePointers = VolatilePointers(), marksFractions: Bool = false
  ) {
    mediaType = content.isEmpty ? "" : type?.essence ?? "application/octet-stream"
    guard !content.isEmpty, type?.syntax == .json, let root = try? JSONParser.parse(content).root else { return }
    body = BodyShape(root, schema, volatile: volatile, marksFractions: marksFractions)
  }

  /// Whether two shapes differ outside of lists and maps.
  func isLike(_ other: AnswerShape) -> Bool { mediaType == other.mediaType && body?.outer == other.body?.outer }
}

extension CompiledOperation {
  func shape(
    of content: [UInt8], status: Int, type: MediaRange?, volatile: VolatilePointers = VolatilePointers(),
    marksFractions: Bool = false
  ) -> AnswerShape {
    AnswerShape(
      content, type, schema: schema(ofAnswer: status, type: type), volatile: volatile, marksFractions: marksFractions)
  }

  /// The shape of a fixture of this operation. A template is rendered for a request that has every value.
  func shape(
    of fixture: Fixture, status: Int, volatile: VolatilePointers, marksFractions: Bool = false
  ) -> AnswerShape {
    let type = fixture.contentType(under: fixture.response(in: operation)).flatMap { MediaRange($0) }
    return shape(
      of: sampleBody(of: fixture), status: status, type: type, volatile: volatile, marksFractions: marksFractions)
  }

  /// The body of a fixture; a template is rendered for a request that has every value.
  private func sampleBody(of fixture: Fixture) -> [UInt8] {
    switch fixture.body {
    case .bytes(let bytes, _): bytes
    case .template(let template): template.render(SampleRequest(operation, schemas), .sample)
    }
  }

  /// The schema of a request's body; that of any value where none is documented.
  func schema(ofRequest view: RequestView) -> ResolvedSchema {
    let content = operation.requestBody?.content ?? []
    let ranges = content.compactMap { object in MediaRange(object.range).map { (object, $0) } }
    guard let type = view.request.headerFields.contentType.flatMap({ MediaRange($0) }),
      let index = MediaRange.mostSpecific(of: ranges.map(\.1), for: type)
    else { return .any }
    return ranges[index].0.schema.map(schemas.resolved) ?? .any
  }

  /// The schema of an answer's body; that of any value where none is documented.
  func schema(ofAnswer status: Int, type: MediaRange?) -> ResolvedSchema {
    let content = operation.response(for: status)?.content ?? []
    let ranges = content.compactMap { object in MediaRange(object.range).map { (object, $0) } }
    guard let type, let index = MediaRange.mostSpecific(of: ranges.map(\.1), for: type) else { return .any }
    return ranges[index].0.schema.map(schemas.resolved) ?? .any
  }
}
