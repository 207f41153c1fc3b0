/// Reads the body of a request or response by the `content` of its contract.
package struct BodyDecoder: Sendable {
  /// What a body turned out to be.
  package struct Result: Sendable {
    /// The entry of `content` that applies.
    package var content: Int?
    package var decoded: Decoded
  }

  private struct Entry: Sendable {
    let range: MediaRange
    let shape: SchemaShape
    let form: FormBody
    let multipart: MultipartBody
  }

  private let entries: [(index: Int, entry: Entry)]
  private let specification: Specification

  package init(_ content: [MediaTypeObject], specification: Specification, resolve: (JSON) -> JSON?) {
    self.specification = specification
    entries = content.enumerated().compactMap { index, media in
      guard let range = MediaRange(media.range) else { return nil }
      let shape = SchemaShape(media.schema, resolve: resolve)
      return (
        index,
        Entry(
          range: range, shape: shape, form: FormBody(media, shape: shape, specification: specification),
          multipart: MultipartBody(media, shape: shape, specification: specification))
      )
    }
  }

  /// Reads bytes by the narrowest key for their Content-Type.
  ///
  /// Without Content-Type a recipient may guess (RFC 9110, section 8.3): the only declared type is taken, with a note.
  package func decode(_ bytes: [UInt8], contentType: String?) -> Result {
    guard let contentType else {
      if bytes.isEmpty { return Result(decoded: Decoded(.absent)) }
      guard let (index, entry) = entries.first, entries.count == 1, !entry.range.isRange else {
        return Result(decoded: Decoded(.broken, [problem("the body has no Content-Type; expected \(expected)")]))
      }
      var result = Result(content: index, decoded: read(bytes, entry.range, entry))
      let note = "the body has no Content-Type; it was read as \(entry.range.essence)"
      result.decoded.problems.insert(DecodingProblem(.contentType, "", note, isRecovered: true), at: 0)
      return result
    }
    guard let actual = MediaRange(contentType), !actual.isRange else {
      let shown = String(String.UnicodeScalarView(contentType.unicodeScalars.prefix(80)))
      return Result(
        decoded: Decoded(.broken, [problem("Content-Type `\(shown)` is no media type; expected \(expected)")]))
    }
    guard let found = MediaRange.mostSpecific(of: entries.map(\.entry.range), for: actual) else {
      return Result(
        decoded: Decoded(.broken, [problem("Content-Type `\(actual.essence)` is not declared; expected \(expected)")]))
    }
    return Result(content: entries[found].index, decoded: read(bytes, actual, entries[found].entry))
  }

  private func read(_ bytes: [UInt8], _ actual: MediaRange, _ entry: Entry) -> Decoded {
    switch actual.syntax {
    case .json: json(bytes)
    case .jsonSequence: sequence(bytes)
    case .form: entry.form.decode(bytes)
    case .multipart: entry.multipart.decode(bytes, actual)
    case .xml: Decoded(.unjudged("XML is not mapped to its schema"))
    case .text, .eventStream: text(bytes, entry.shape)
    case .binary: Decoded(.readings([.string("<\(bytes.count) bytes>")]))
    }
  }

  private func json(_ bytes: [UInt8]) -> Decoded {
    if bytes.isEmpty { return Decoded(.absent) }
    do {
      return Decoded(.readings([try JSONParser.parse(bytes).root]))
    } catch {
      let plain = DecodingProblem(
        .syntax, "", "the body is no JSON: \(error.message), at byte \(error.range.lowerBound)")
      return Decoded(.broken, [BodyMistake.notJSON(bytes) ?? plain])
    }
  }

  /// One JSON text a line, or each behind a record separator, as one array (OAS 3.2, 4.14.3.1).
  private func sequence(_ bytes: [UInt8]) -> Decoded {
    var elements: [JSON] = []
    let isSeparated = bytes.first == 0x1E
    for piece in bytes.parts(at: isSeparated ? 0x1E : UInt8(ascii: "\n")) {
      guard piece.contains(where: { $0 > 32 }) else { continue }
      do {
        elements.append(try JSONParser.parse(piece).root)
      } catch {
        let sentence = "item \(elements.count + 1) of the sequence is no JSON: \(error.message)"
        return Decoded(.broken, [DecodingProblem(.syntax, "", sentence)])
      }
    }
    return Decoded(.readings([.array(elements)]))
  }

  private func text(_ bytes: [UInt8], _ shape: SchemaShape) -> Decoded {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return Decoded(.unjudged("the text is not UTF-8"))
    }
    let readings = [false, true].compactMap { Typing.value(of: text, shape.types, prefersText: $0) }
    guard let first = readings.first, let last = readings.last else { return Decoded(.readings([.string(text)])) }
    return Decoded(.readings(first == last ? [first] : [first, last]))
  }

  private var expected: String {
    entries.isEmpty ? "no body" : entries.map { "`\($0.entry.range.description)`" }.joined(separator: " or ")
  }

  private func problem(_ sentence: String) -> DecodingProblem { DecodingProblem(.contentType, "", sentence) }
}
