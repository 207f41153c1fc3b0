/// Requests of the kinds that break servers: bytes that are not valid text, duplicate keys, characters that databases refuse, depth,
/// length, and fields that few handlers expect.
///
/// Most keep the contract, and a server may refuse them all the same: only their answers are validated.
struct UnusualRequests {
  let subject: LiveOperation
  let base: RequestDraft
  let baseWithBody: RequestDraft

  private static let longText = String(repeating: "a", count: 100_000)
  /// Deeper than the recursion limits of common readers.
  private static let depth = 3_000
  private static let deepArray =
    Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)

  private var operation: Operation { subject.operation }

  func calls() -> [LiveCall] {
    bodyCalls() + subject.share(of: (fields() + [undeclared()]).compactMap(\.self), as: operation.id)
  }

  /// What the reader of all bodies refuses is tried in turn, what comes to the operation always.
  func bodyCalls() -> [LiveCall] {
    subject.share(of: forms().compactMap(\.self), as: operation.id) + bodies().compactMap(\.self)
  }

  private func call(_ draft: RequestDraft, _ label: String) -> LiveCall? { subject.call(draft, .answerOnly, label) }

  /// A body with bytes that are not UTF-8, in its first text if it has one.
  func notUTF8() -> LiveCall? {
    guard case .value(let value, let media)? = baseWithBody.body else { return nil }
    let what = "bytes that are not UTF-8"
    switch MediaRange(media.range)?.syntax {
    case .json?:
      guard let text = Self.firstText(in: value) else { return raw([0x22, 0xFF, 0xFE, 0x22], what) }
      return value.setting(text[...], to: .string(Self.mark)).flatMap { replacing($0, by: [0xFF, 0xFE]) }.flatMap {
        raw($0, what)
      }
    case .form?: return raw(Array("%ff%fe=%00".utf8), what)
    default: return nil
    }
  }

  private func raw(_ bytes: [UInt8], _ what: String, as contentType: String? = nil) -> LiveCall? {
    guard let type = contentType ?? subject.writer.write(baseWithBody)?.request.headerFields[.contentType] else {
      return nil
    }
    return call(baseWithBody.with(body: .bytes(bytes, contentType: type)), "body with \(what)")
  }

  /// Bodies that a JSON parser may reject or crash on, for any operation.
  private func forms() -> [LiveCall?] {
    guard case .value(let value, let media)? = baseWithBody.body, MediaRange(media.range)?.syntax == .json else {
      return []
    }
    var calls = [
      raw(Self.deepArray, "deep nesting").map { call in
        var last = call
        last.mayEndServer = true
        return last
      },
      call(
        baseWithBody.setting(
          RequestOverlay.undeclared("Content-Type", .header),
          to: .string("\(media.range.split(separator: ";")[0]); charset=understudy")),
        "body with an unknown charset"),
    ]
    if let member = value.distinctMembers.first {
      let first = "{\(JSONWriter.text(.string(member.name))):\(JSONWriter.text(member.value)),"
      calls.append(raw(Array(first.utf8) + JSONWriter.bytes(value).dropFirst(), "a key twice"))
    }
    return calls
  }

  private func bodies() -> [LiveCall?] {
    guard case .value(let value, let media)? = baseWithBody.body,
      let written = subject.writer.write(baseWithBody)
    else { return [] }
    switch MediaRange(media.range)?.syntax {
    case .json?:
      func with(_ value: JSON, _ what: String) -> LiveCall? {
        call(baseWithBody.with(body: .value(value, media)), "body with \(what)")
      }
      var calls = [
        value.isObject
          ? subject.invalidCall(
            baseWithBody.with(body: .value([value], media)), .providerInvalidAccepted, "body as an array")
          : subject.invalidCall(
            baseWithBody.with(body: .value(["understudy": value], media)), .providerInvalidAccepted, "body as an object"
          )
      ]
      // Readers often take null for an absent body.
      calls.append(
        subject.invalidCall(
          baseWithBody.with(body: .value(.null, media)), .providerInvalidAccepted, "body as null"))
      if value.isObject, value.count > 0 {
        let members = value.distinctMembers.map(\.name)
        calls.append(with(.object(members.map { ($0, [:]) }), "an object for every value"))
        calls.append(with(.object(members.map { ($0, []) }), "a list for every value"))
      }
      if let text = Self.firstText(in: value) {
        calls += [
          value.setting(text[...], to: "a\u{0}b").flatMap { with($0, "a NUL") },
          value.setting(text[...], to: .string(Self.longText)).flatMap { with($0, "a very long text") },
          value.setting(text[...], to: .string(Self.mark)).flatMap {
            replacing($0, by: Array(SurrogateHalves.sent.utf8))
          }.flatMap { raw($0, "half of a surrogate pair") },
        ]
      }
      calls.append(notUTF8())
      if let number = Self.firstInteger(in: value) {
        calls.append(
          value.setting(number[...], to: UnusualParameters.beyond64Bits).flatMap { with($0, "more than 64 bits") })
      }
      return calls
    case .multipart?: return [raw(written.body, "no boundary", as: "multipart/form-data")]
    case .form?: return [notUTF8()]
    default: return []
    }
  }

  /// Stands for bytes that no text has.
  private static let mark = "understudy-mark"

  private func replacing(_ value: JSON, by bytes: [UInt8]) -> [UInt8]? {
    let text = JSONWriter.bytes(value)
    guard let range = text.firstRange(of: Self.mark.utf8) else { return nil }
    return Array(text[..<range.lowerBound]) + bytes + Array(text[range.upperBound...])
  }

  private static func firstText(in value: JSON) -> [String]? { first(in: value, \.isString) }

  private static func firstInteger(in value: JSON) -> [String]? { first(in: value) { $0.int != nil } }

  /// The path to the first value of a kind, two levels deep.
  private static func first(in value: JSON, _ isWanted: (JSON) -> Bool) -> [String]? {
    for member in value.members where isWanted(member.value) { return [member.name] }
    for member in value.members {
      for inner in member.value.members where isWanted(inner.value) { return [member.name, inner.name] }
    }
    return nil
  }

  private func fields() -> [LiveCall?] {
    func with(_ name: String, _ value: String) -> LiveCall? {
      let parameter =
        operation.parameter(name, in: .header) ?? RequestOverlay.undeclared(name, .header)
      return call(base.setting(parameter, to: .string(value)), "`\(name): \(value)`")
    }
    return [
      operation.method == "GET" ? with("If-None-Match", "**") : nil,
      operation.method == "GET" ? with("Range", "bytes=9-1") : nil,
      ["PUT", "PATCH", "DELETE"].contains(operation.method) ? with("If-Match", "**") : nil,
      // Unlike `**` it is valid, and shows nothing where the operation does not know it.
      operation.parameter("If-None-Match", in: .header) == nil ? nil : with("If-None-Match", "*"),
      // Readers of forms look for the boundary before they know that there is no body.
      operation.requestBody == nil ? with("Content-Type", "multipart/form-data") : nil,
      with("Accept", "application/x-understudy"),
      // A method that no server has, so that an override changes nothing.
      operation.method == "POST" ? with("X-HTTP-Method-Override", "UNDERSTUDY") : nil,
    ]
  }

  /// Frameworks read the whole query, also what no operation declares.
  private func undeclared() -> LiveCall? {
    let parameter = RequestOverlay.undeclared("a\u{1B}b", .query)
    return call(base.setting(parameter, to: "a\u{1B}b"), "an undeclared query parameter with an escape character")
  }
}
