/// Reads the body of a request or response by the `content` of its contract.
package struct BodyDecoder: Sendable {
  package struct Result: Sendable {
    /// The index of the applicable entry of `content`.
    package var content: Int?
    package var decoded: Decoded
  }

  private final class Entry: Sendable {
    /// In the `content` of the contract.
    let index: Int
    let range: MediaRange
    let syntax: MediaRange.Syntax
    let media: MediaTypeObject
    private let specification: Specification
    private let schemas: SchemaLibrary
    /// Set if the range is a form.
    private let knownForm: FormBody?
    private let knownMultipart: MultipartBody?

    init?(_ media: MediaTypeObject, at index: Int, _ specification: Specification, _ schemas: SchemaLibrary) {
      guard let range = MediaRange(media.range) else { return nil }
      self.index = index
      self.range = range
      syntax = range.syntax
      self.media = media
      self.specification = specification
      self.schemas = schemas
      knownForm = syntax == .form ? FormBody(media, specification: specification, schemas: schemas) : nil
      knownMultipart =
        syntax == .multipart ? MultipartBody(media, specification: specification, schemas: schemas) : nil
    }

    var schema: ResolvedSchema { media.schema.map(schemas.resolved) ?? .any }
    var form: FormBody { knownForm ?? FormBody(media, specification: specification, schemas: schemas) }
    var multipart: MultipartBody {
      knownMultipart ?? MultipartBody(media, specification: specification, schemas: schemas)
    }
  }

  private let entries: [Entry]
  private let reportsHiddenJSON: Bool

  /// - Parameter reportsHiddenJSON: Whether JSON under another Content-Type has a finding.
  package init(
    _ content: [MediaTypeObject], specification: Specification, schemas: SchemaLibrary, reportsHiddenJSON: Bool = true
  ) {
    self.reportsHiddenJSON = reportsHiddenJSON
    entries = content.enumerated().compactMap { Entry($1, at: $0, specification, schemas) }
  }

  /// Reads bytes by the narrowest key for their Content-Type; `codings` are the lines of Content-Encoding. Without
  /// Content-Type (RFC 9110, section 8.3), a single declared type is used, and reported.
  package func decode(_ bytes: [UInt8], contentType: String?, codings: [String] = []) -> Result {
    decode(MessageBody(bytes, contentType: contentType, codings: codings))
  }

  func decode(_ body: MessageBody) -> Result {
    if body.codings.isEmpty { return decode(plain: body) }
    return switch body.decoded {
    case .success(.decoded): decode(plain: body)
    case .success(.unknown(let coding)):
      Result(decoded: Decoded(.unvalidated("the content coding `\(coding)` is not supported")))
    case .failure(let problem): Result(decoded: Decoded(.broken, [problem]))
    }
  }

  private func decode(plain body: MessageBody) -> Result {
    guard let contentType = body.contentType else {
      if body.plain.isEmpty { return Result(decoded: Decoded(.absent)) }
      guard let entry = entries.first, entries.count == 1, !entry.range.isRange else {
        return broken("the body has no Content-Type; expected \(expected)")
      }
      var result = Result(content: entry.index, decoded: read(body, nil, entry.syntax, entry))
      let note = "the body has no Content-Type; it was read as \(entry.range.essence)"
      result.decoded.problems.insert(DecodingProblem(.contentType, "", note, isRecovered: true), at: 0)
      return result
    }
    // Most clients send the text of the contract, which needs no parsing.
    if let entry = entries.first(where: { $0.media.range.utf8Equals(contentType) }), !entry.range.isRange {
      body.syntax = entry.syntax
      return Result(content: entry.index, decoded: read(body, nil, entry.syntax, entry))
    }
    guard let actual = body.type, !actual.isRange else {
      let shown = String(String.UnicodeScalarView(contentType.unicodeScalars.prefix(80)))
      return broken("Content-Type `\(shown)` is not a valid media type; expected \(expected)")
    }
    guard let found = MediaRange.mostSpecific(of: entries.map(\.range), for: actual) else {
      return broken("Content-Type `\(actual.essence)` is not declared; expected \(expected)")
    }
    return Result(content: entries[found].index, decoded: read(body, actual, actual.syntax, entries[found]))
  }

  /// - Parameter actual: The type of the body; `nil` for that of the entry, which is not copied.
  private func read(
    _ body: MessageBody, _ actual: MediaRange?, _ syntax: MediaRange.Syntax, _ entry: Entry
  ) -> Decoded {
    var type: MediaRange { actual ?? entry.range }
    return switch syntax {
    case .json: json(body)
    case .jsonSequence: SequenceBody.decode(body.plain, type)
    case .form: entry.form.decode(body)
    case .multipart: entry.multipart.decode(body.plain, type)
    case .xml:
      body.plain.isEmpty ? Decoded(.absent) : XMLBody(entry.schema).decode(body.plain, charset: type["charset"])
    case .eventStream: events(body.plain, type, entry)
    case .text: structured(body.plain, type, entry.schema) ?? text(body.plain, type, entry.schema)
    case .binary: structured(body.plain, type, entry.schema) ?? FileText.decode(body.plain, entry.schema)
    }
  }

  /// Events, or the text of the stream if the contract has a string `schema` and no `itemSchema` (before 3.2).
  private func events(_ bytes: [UInt8], _ actual: MediaRange, _ entry: Entry) -> Decoded {
    guard entry.media.itemSchema == nil, entry.schema.types == .string else { return EventStream.decode(bytes) }
    return text(bytes, actual, entry.schema)
  }

  private func json(_ body: MessageBody) -> Decoded {
    if body.plain.isEmpty { return Decoded(.absent) }
    switch body.json {
    case .success(let document):
      return Decoded(.readings([document.root]), Self.ambiguities(of: document, body.plain))
    case .failure(let error):
      let plain = DecodingProblem(
        .syntax, "", "the body is not valid JSON: \(error.message), at byte \(error.range.lowerBound)")
      return Decoded(.broken, [BodyDecodingError.notJSON(body.plain) ?? plain])
    }
  }

  /// Duplicate keys and byte order marks, which parsers treat differently (RFC 8259, 4 and 8.1).
  private static func ambiguities(of document: JSONDocument, _ bytes: [UInt8]) -> [DecodingProblem] {
    var notes = document.duplicates.prefix(3).map(\.message)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { notes.insert("the JSON starts with a byte order mark", at: 0) }
    return notes.map { DecodingProblem(.encoding, "", $0, isRecovered: true) }
  }

  /// JSON under another media type, where the schema allows only arrays and objects: `consumes` of Swagger 2.0 applies to all
  /// bodies, and servers accept JSON as `text/plain` and `application/octet-stream`.
  ///
  /// No specification maps types such as `text/csv` or `application/x-protobuf` to arrays and objects (OAS 3.0, Media Type
  /// Object), so a body that is not JSON is not validated, except under the two generic types.
  private func structured(_ bytes: [UInt8], _ actual: MediaRange, _ schema: ResolvedSchema) -> Decoded? {
    guard schema.types.isDisjoint(with: .primitive) else { return nil }
    guard let document = try? JSONParser.parse(bytes) else {
      if ["text/plain", "application/octet-stream"].contains(actual.essence) { return nil }
      return Decoded(.unvalidated("no specification maps \(actual.essence) to the schema"))
    }
    let note = "the body is JSON, but Content-Type says \(actual.essence)"
    return Decoded(
      .readings([document.root]),
      (reportsHiddenJSON ? [DecodingProblem(.encoding, "", note, isRecovered: true)] : [])
        + Self.ambiguities(of: document, bytes))
  }

  /// Text without a charset is assumed to be UTF-8 (RFC 9110, section 8.3.2).
  private func text(_ bytes: [UInt8], _ actual: MediaRange, _ schema: ResolvedSchema) -> Decoded {
    let charset = actual["charset"]
    switch Charset.decode(bytes, as: charset ?? "utf-8") {
    case .unknown: return Decoded(.unvalidated("the charset `\(charset ?? "")` is not supported"))
    case .invalid:
      guard let charset else { return Decoded(.unvalidated("the text has no charset and is not UTF-8")) }
      return .broken(.syntax, "the text is not in `\(charset)`, its charset")
    case .text(let text):
      let readings = [false, true].compactMap { TypeCoercion.value(of: text, schema.types, prefersText: $0) }
      guard let first = readings.first, let last = readings.last else { return Decoded(.readings([.string(text)])) }
      return Decoded(.readings(first == last ? [first] : [first, last]))
    }
  }

  private var expected: String {
    entries.isEmpty ? "no body" : entries.map { "`\($0.range.description)`" }.joined(separator: " or ")
  }

  private func broken(_ sentence: String) -> Result { Result(decoded: .broken(.contentType, sentence)) }
}
