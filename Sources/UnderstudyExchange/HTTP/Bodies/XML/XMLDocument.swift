import CUnderstudyExpat

/// Parses XML 1.0 with namespaces. A document type declaration ends the parsing, so no entity is expanded or fetched.
enum XMLDocument {
  static let depthLimit = 200
  /// Elements and attributes of one document.
  static let nodeLimit = 200_000

  enum Failure: Error {
    case syntax(String)
    case limit(String)
    case encoding
  }

  /// The root element; `charset`, from the Content-Type, takes precedence over the document's own (RFC 7303, section 3).
  static func parse(_ bytes: [UInt8], charset: String? = nil) throws(Failure) -> XMLElement {
    // Separates namespace and name: a character that XML does not allow.
    guard let parser = XML_ParserCreateNS(charset, CChar(separator)) else { throw .encoding }
    defer { XML_ParserFree(parser) }
    let builder = Builder(parser)
    return try withExtendedLifetime(builder) { () throws(Failure) in
      install(builder, on: parser)
      let isDone = bytes.withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { XML_Parse(parser, $0.baseAddress, Int32(clamping: $0.count), 1) }
      }
      if let failure = builder.failure { throw failure }
      if isDone == XML_STATUS_OK, let root = builder.root { return root }
      throw failure(of: parser)
    }
  }

  private static let separator: UInt8 = 1

  private static func failure(of parser: XML_Parser) -> Failure {
    let code = XML_GetErrorCode(parser)
    if code == XML_ERROR_UNKNOWN_ENCODING { return .encoding }
    let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "not well-formed"
    return .syntax(
      "\(reason), at line \(XML_GetCurrentLineNumber(parser)), column \(XML_GetCurrentColumnNumber(parser) + 1)")
  }

  private static func install(_ builder: Builder, on parser: XML_Parser) {
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      Builder.from(data).stop(.limit("it has a document type declaration (`<!DOCTYPE`), which is not allowed"))
    }
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let name else { return }
        Builder.from(data).begin(name, attributes)
      }, { data, _ in Builder.from(data).end() })
    XML_SetCharacterDataHandler(parser) { data, text, count in
      guard let text else { return }
      Builder.from(data).append(UnsafeBufferPointer(start: text, count: Int(count)))
    }
  }

  private final class Builder {
    private let parser: XML_Parser
    private var open: [XMLElement] = []
    /// The last text of the innermost element, which arrives in pieces.
    private var text: [UInt8] = []
    private var count = 0
    private(set) var root: XMLElement?
    private(set) var failure: Failure?

    init(_ parser: XML_Parser) { self.parser = parser }

    static func from(_ data: UnsafeMutableRawPointer?) -> Builder {
      Unmanaged<Builder>.fromOpaque(data.unsafelyUnwrapped).takeUnretainedValue()
    }

    func stop(_ reason: Failure) {
      failure = failure ?? reason
      XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    func begin(_ name: UnsafePointer<CChar>, _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
      var attributes: [XMLElement.Attribute] = []
      var position = 0
      while let pairs, let name = pairs[position], let value = pairs[position + 1] {
        attributes.append(XMLElement.Attribute(name: Self.name(name), value: String(cString: value)))
        position += 2
      }
      count += 1 + attributes.count
      if open.count >= depthLimit { return stop(.limit("its elements nest deeper than \(depthLimit)")) }
      if count > nodeLimit { return stop(.limit("it has more than \(nodeLimit) elements and attributes")) }
      endText()
      open.append(XMLElement(name: Self.name(name), attributes: attributes, startTag: tag))
    }

    func end() {
      endText()
      guard var element = open.popLast() else { return }
      // An empty element has no end tag.
      element.inside = element.startTag.upperBound..<max(tag.lowerBound, element.startTag.upperBound)
      element.range = element.startTag.lowerBound..<max(tag.upperBound, element.startTag.upperBound)
      if open.isEmpty { root = element } else { open[open.count - 1].content.append(.element(element)) }
    }

    private var tag: Range<Int> {
      let start = max(0, Int(XML_GetCurrentByteIndex(parser)))
      return start..<start + max(0, Int(XML_GetCurrentByteCount(parser)))
    }

    func append(_ text: UnsafeBufferPointer<CChar>) {
      guard !open.isEmpty else { return }
      self.text.append(contentsOf: UnsafeRawBufferPointer(text))
    }

    /// Adds the whole text to the innermost element.
    private func endText() {
      guard !text.isEmpty, !open.isEmpty else { return }
      open[open.count - 1].content.append(.text(String(decoding: text, as: UTF8.self)))
      text.removeAll(keepingCapacity: true)
    }

    /// `uri\u{1}local`, or the local name alone.
    private static func name(_ text: UnsafePointer<CChar>) -> XMLElement.Name {
      let parts = String(cString: text).utf8.split(separator: separator, maxSplits: 1)
      let texts = parts.map { String(decoding: $0, as: UTF8.self) }
      return texts.count == 2 ? .init(local: texts[1], namespace: texts[0]) : .init(local: texts.first ?? "")
    }
  }
}
