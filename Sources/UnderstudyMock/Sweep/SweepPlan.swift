/// The variants of the answers of an operation, in a fixed order: the same for the same contract, fixtures and seed.
package struct SweepPlan {
  /// The answer without a variant.
  let usual: Reply
  let operation: MockOperation
  let seed: String
  private let stream: StreamVariants?

  /// - Parameter sockets: Those of the mock, which may declare the answer as a stream.
  package init(_ operation: MockOperation, usual: Reply, seed: String = "0", sockets: MockSockets? = nil) {
    self.operation = operation
    self.seed = seed
    stream = StreamVariants(usual, of: operation, sockets)
    guard let stream, stream.isDeclared else {
      self.usual = usual
      return
    }
    var response = usual.response
    response.headerFields[.contentType] = stream.type
    response.headerFields[.contentLength] = nil
    self.usual = Reply(.made(response, body: stream.body), operation: operation, source: usual.source)
  }

  /// The answer of a variant that is only late or broken on the way: what rules send has no length, and no faults.
  private var unchanged: ReplyOverride.Answer {
    guard let stream, stream.isDeclared else { return .usual }
    let description = "sweep \(operation.id)"
    var response = usual.response
    response.headerFields[.understudyReply] = ReplySource(.written(description)).fieldValue
    return .response(response, body: usual.body, description: description)
  }

  /// The most members that one kind of variant changes, each separately.
  static let memberLimit = 12

  /// Where redirects lead to.
  package static let redirectTarget = "/understudy-redirect"

  /// The documented statuses and the fixtures with names, then the hostile variants of the default response.
  package var variants: [SweepVariant] { statuses + fixtures + bodies + streams + messages + connections }

  private var statuses: [SweepVariant] {
    operation.cells.compactMap { cell in
      let code = operation.code(of: cell)
      // An interim status ends no request.
      guard cell.response != nil, code >= 200 else { return nil }
      let detail = "\(cell.status)" + (cell.cell.explicitMeaning.map { " \($0)" } ?? "")
      return SweepVariant(
        .status, detail, of: operation.id, status: code, ReplyOverride(.cell(Forcing(code: code))))
    }
  }

  /// After the statuses, since some of them break the connection, and a client may repeat the next request on a new one.
  private var fixtures: [SweepVariant] {
    operation.cells.flatMap { cell in
      let code = operation.code(of: cell)
      return code < 200
        ? []
        : cell.endingFixtureNames.map { name in
          SweepVariant(
            .fixture, "\(code).\(name)", of: operation.id, status: code,
            ReplyOverride(.cell(Forcing(code: code, name: name))))
        }
    }
  }

  // MARK: - Bodies

  private var type: MediaRange? { usual.response.headerFields[.contentType].flatMap { MediaRange($0) } }

  private var bodies: [SweepVariant] {
    guard type?.syntax == .json, let root = MessageBody(usual.body).root else { return [] }
    return HostileBodies(root, schema: schema, seed: seed).all.map { kind, pointer, value in
      answer(kind, pointer, body: JSONWriter.bytes(value))
    }
  }

  private var schema: ResolvedSchema {
    let content = operation.cell(for: usual.status)?.cell.content ?? []
    let ranges = content.compactMap { MediaRange($0.range) }
    let index = type.flatMap { MediaRange.mostSpecific(of: ranges, for: $0) } ?? 0
    guard content.indices.contains(index), let schema = content[index].schema else { return .any }
    return operation.compiled.schemas.resolved(schema)
  }

  // MARK: - Streams

  private var streams: [SweepVariant] {
    (stream?.all ?? []).map { kind, script, isUnusable in
      SweepVariant(
        kind, of: operation.id, isUnusable: isUnusable,
        ReplyOverride(
          .stream(script, status: usual.status, description: "sweep \(operation.id) \(kind.rawValue)")))
    }
  }

  // MARK: - Messages

  private var messages: [SweepVariant] {
    var all: [SweepVariant] = []
    let body = usual.body
    if !body.isEmpty {
      // The text of an answer may mean nothing, but data cannot be made up.
      let isData = type?.syntax == .json
      all.append(
        answer(.html, isUnusable: isData, body: HostilePage.bytes))
      if body.count > 1 {
        all.append(answer(.truncatedBody, isUnusable: isData, body: Array(body.prefix(body.count / 2))))
      }
      all.append(answer(.emptyBody, isUnusable: isData, body: []))
      all.append(answer(.byteOrderMark, body: [0xEF, 0xBB, 0xBF] + body))
      all.append(utf16(body))
    }
    let undocumented = [299, 418, 599].first { operation.cell(for: $0) == nil } ?? 299
    all.append(plain(.undocumentedStatus, undocumented))
    all.append(plain(.redirect, 302, [(name: "Location", value: Self.redirectTarget)]))
    all.append(SweepVariant(.slow, of: operation.id, ReplyOverride(unchanged, delay: .seconds(1))))
    var faults: [(SweepCase.Kind, Fault)] = [(.drip, .drip)]
    if !body.isEmpty { faults += [(.stall, .stall(.seconds(1))), (.invalidUTF8, .invalidUTF8)] }
    // Many libraries take the first of two lengths, although they must not.
    faults += [(.duplicateHeaders, .duplicateHeaders), (.conflictingHeaders, .conflictingHeaders)]
    all += faults.map { kind, fault in SweepVariant(kind, of: operation.id, ReplyOverride(unchanged, fault: fault)) }
    return all
  }

  private var connections: [SweepVariant] {
    func broken(_ kind: SweepCase.Kind, _ detail: String, _ fault: Fault) -> SweepVariant {
      SweepVariant(kind, detail, of: operation.id, isUnusable: true, ReplyOverride(unchanged, fault: fault))
    }
    // Without a body the message is complete after its head, and half of it ends within the head.
    let hasBody = !usual.body.isEmpty
    var all = hasBody ? [broken(.cut, "", .truncate)] : []
    all += [
      broken(.reset, "", .reset), broken(.reset, "head", .reset(at: .head)), broken(.close, "", .close),
      broken(.close, "head", .close(at: .head)), broken(.garbage, "", .garbage),
    ]
    guard hasBody else { return all }
    all += [
      broken(.reset, "after-head", .reset(at: .afterHead)), broken(.reset, "body", .reset(at: .body)),
      broken(.close, "after-head", .close(at: .afterHead)), broken(.wrongLength, "1", .wrongLength(by: 1)),
      broken(.malformedChunk, "", .malformedChunk),
    ]
    return all
  }

  private func answer(
    _ kind: SweepCase.Kind, _ pointer: String = "", isUnusable: Bool = false, body: [UInt8]
  ) -> SweepVariant {
    response(kind, pointer, isUnusable: isUnusable, usual.response, body)
  }

  private func utf16(_ body: [UInt8]) -> SweepVariant {
    var response = usual.response
    let type = response.headerFields[.contentType]?.split(separator: ";").first.map(String.init) ?? "text/plain"
    response.headerFields[.contentType] = "\(type); charset=utf-16"
    let units = String(decoding: body, as: UTF8.self).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return self.response(.utf16, "", response, [0xFE, 0xFF] + units)
  }

  private func plain(
    _ kind: SweepCase.Kind, _ code: Int, _ headers: [(name: String, value: String)] = []
  ) -> SweepVariant {
    let headers = [(name: "Content-Type", value: "text/plain; charset=utf-8")] + headers
    return response(
      kind, "\(code)", HTTPResponse(code: code, headers, source: ReplySource(.written(kind.rawValue))),
      Array("\(code)\n".utf8))
  }

  private func response(
    _ kind: SweepCase.Kind, _ detail: String, isUnusable: Bool = false, _ response: HTTPResponse, _ body: [UInt8]
  ) -> SweepVariant {
    let description = "sweep \(operation.id) \(kind.rawValue)\(detail.isEmpty ? "" : " \(detail)")"
    var response = response
    response.headerFields[.understudyReply] = ReplySource(.written(description)).fieldValue
    return SweepVariant(
      kind, detail, of: operation.id, isUnusable: isUnusable,
      ReplyOverride(.response(response, body: body, description: description)))
  }
}
