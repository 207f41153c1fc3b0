enum HARRequestBody {
  /// `postData.text`, else the body that corresponds to `params` (HAR 1.2, postData).
  static func read(_ request: JSON, _ fields: inout HTTPFields) -> ExchangeBody {
    guard let data = request["postData"], data.isObject else {
      let size = request["bodySize"]?.int ?? 0
      return size > 0 ? .unknown("the request's body was not recorded") : .empty
    }
    // Our own member: HAR 1.2 has no encoding of request bodies.
    if let coded = data["_base64"]?.string { return ExchangeBody(base64: coded) }
    let text = data["text"]?.string ?? ""
    let params = data["params"] ?? JSON.array([])
    guard !text.isEmpty || params.count > 0 else { return .empty }
    if fields.first(named: "content-type") == nil, let type = data["mimeType"]?.string, MediaRange(type) != nil {
      fields[.contentType] = type
    }
    let type = fields.first(named: "content-type").flatMap { MediaRange($0) }
    if !text.isEmpty {
      // Some tools write it as for answers.
      if (data["encoding"] ?? data["_encoding"])?.isString("base64") == true { return ExchangeBody(base64: text) }
      if !ContentCoding.isPlain(fields) {
        return .unknown(
          "the request's body has a content coding, and the recording does not state whether it is decoded")
      }
      return ExchangeBody(text: text, type)
    }
    switch type?.syntax {
    case .multipart?: return multipart(params, type, &fields)
    case .form?: return .rebuilt(form(params))
    default: return .unknown("the request's body was recorded as `params`, which do not fit its media type")
    }
  }

  private static func form(_ params: JSON) -> [UInt8] {
    let pairs = params.elements.map { param in
      [param["name"], param["value"]].map { encoded($0?.string ?? "") }.joined(separator: "=")
    }
    return Array(pairs.joined(separator: "&").utf8)
  }

  /// Tools differ in whether they decode the values. A value with escapes, and without characters that must be escaped,
  /// is still encoded.
  private static func encoded(_ text: String) -> String {
    let isWire =
      text.utf8.contains(UInt8(ascii: "%")) && PercentEncoding.decodeBytes(ArraySlice(text.utf8)) != nil
      && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "%+*".utf8.contains($0) }
    return isWire ? text : PercentEncoding.encode(text, keeping: "*")
  }

  private static func multipart(_ params: JSON, _ type: MediaRange?, _ fields: inout HTTPFields) -> ExchangeBody {
    let boundary = type?["boundary"] ?? "understudy-boundary"
    if type?["boundary"] == nil, let type { fields[.contentType] = "\(type); boundary=\(boundary)" }
    var text = ""
    for param in params.elements {
      guard let value = param["value"]?.string else {
        return .unknown("a part of the request's body was not recorded")
      }
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(param["name"]?.string ?? ""))\""
      if let file = param["fileName"]?.string { text += "; filename=\"\(quoted(file))\"" }
      text += "\r\n"
      if let type = param["contentType"]?.string, MediaRange(type) != nil { text += "Content-Type: \(type)\r\n" }
      text += "\r\n\(value)\r\n"
    }
    text += "--\(boundary)--\r\n"
    guard !text.unicodeScalars.contains("\u{FFFD}") else { return .unknown(ExchangeBody.isBinary) }
    return .rebuilt(Array(text.utf8))
  }

  /// A name in `Content-Disposition`, escaped as browsers do (HTML, 4.10.21.8).
  private static func quoted(_ text: String) -> String {
    text.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}

extension ContentCoding {
  static func isPlain(_ fields: HTTPFields) -> Bool {
    fields.lines(named: "content-encoding").flatMap { FieldSyntax.split($0.utf8, at: UInt8(ascii: ",")) }
      .allSatisfy { $0.isEmpty || FieldSyntax.equalIgnoringCase($0, "identity".utf8) }
  }
}
