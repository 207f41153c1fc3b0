struct FixtureReader {
  let operation: Operation
  let fileName: FixtureFileName
  let source: SourceFile
  let access: FileAccess
  private var findings = MappingReader.fixtures
  /// The file that `bodyFile` names, whether it can be read or not.
  private(set) var bodyFile: String?
  /// The reply of a routes file that is read; `nil` for a file.
  private var reply: RouteReply?
  /// The findings about tags of templates, with which a fixture is served all the same.
  private var tagFindings: [Diagnostic] = []

  /// The highest priority.
  private static let priorityLimit = 1_000
  /// The keys that a reply of a routes file has as well: `json` and `file` are short for `body` and `bodyFile`.
  private static let routeKeys = ["json", "file", "name", "status"]

  init(operation: Operation, fileName: FixtureFileName, source: SourceFile, access: FileAccess) {
    self.access = access
    self.operation = operation
    self.fileName = fileName
    self.source = source
  }

  var diagnostics: [Diagnostic] { findings.all }

  /// The fixture; `nil` when it cannot be served, with the reason in `diagnostics`.
  mutating func read() -> Fixture? {
    var fixture = Fixture(
      operationId: operation.id, status: fileName.status, name: fileName.name, source: source, headers: [],
      body: .bytes(source.bytes, fileExtension: fileName.fileExtension), violates: [])
    if fileName.fileExtension == "yaml" || fileName.fileExtension == "yml" {
      fixture.body = .bytes([], fileExtension: "json")
      let isServed = describe(&fixture)
      findings.add(tagFindings)
      guard isServed else { return nil }
    } else if let tag = TemplateTag.first(in: source.bytes) {
      findings.add(
        Self.unfilled(
          source.bytes[tag], at: Location(source, tag),
          help: "a plain file is no template: name it as `bodyFile` of a .yaml fixture with `template: true`, or with "
            + "`template: false` to send it as it is"))
    }
    checkBody(fixture)
    if fileName.fileExtension == "json" { checkSyntax(source, fixture) }
    return fixture
  }

  /// Reads a reply of a routes file; `nil` when it cannot be served, with the reason in `diagnostics`.
  mutating func read(_ reply: RouteReply) -> Fixture? {
    self.reply = reply
    var fixture = Fixture(
      operationId: operation.id, status: fileName.status, name: fileName.name, source: source, headers: [],
      body: .bytes([], fileExtension: ""), violates: [])
    fixture.node = reply.node
    switch reply.content {
    case .described:
      guard describe(&fixture, by: reply.node) else { return nil }
    case .text(let text): fixture.body = .bytes(Array(text.utf8), fileExtension: "txt")
    case .file(let path, let targets):
      bodyFile = path
      do {
        let bytes = try FileSystem.read(path, within: access).bytes
        fixture.body = .bytes(bytes, fileExtension: Path.fileExtension(of: path))
      } catch {
        findings.add(Diagnostic(unreadableFixture: error, at: Location(start: reply.node)))
        return nil
      }
      fixture.when = RequestMatcher(conditions: [
        RequestMatcher.Condition(part: .path, name: PathTemplate.rest, test: .oneOf(targets))
      ])
    }
    findings.add(tagFindings)
    checkBody(fixture)
    return fixture
  }

  /// Reads the value of a route: a string, a status alone, or the keys of a description.
  private mutating func describe(_ fixture: inout Fixture, by node: JSON) -> Bool {
    switch node.kind {
    case .null, .number: return true
    case .object: return describe(&fixture, in: node)
    case .string:
      let before = findings.all.count
      fixture.body = .bytes(Array(node.text.utf8), fileExtension: "txt")
      fill(&fixture, "txt") { _ in Location(start: node) }
      return findings.all.count == before
    default:
      return findings.reject(expected: "a string, a status or a mapping", of: "a reply", node) ?? false
    }
  }

  /// Reads a `.yaml` description; `false` when it has invalid values.
  private mutating func describe(_ fixture: inout Fixture) -> Bool {
    let document: JSONDocument
    do {
      document = try TextDocument.read(source)
    } catch {
      findings.add(Diagnostic(.fixtureUnreadable, error, in: source))
      return false
    }
    let before = findings.all.count
    let root = findings.root(of: document)
    return root.isNull || describe(&fixture, in: root) && findings.all.count == before
  }

  private mutating func describe(_ fixture: inout Fixture, in root: JSON) -> Bool {
    let before = findings.all.count
    let keys = FixtureKey.allCases.map(\.rawValue) + (reply == nil ? [] : Self.routeKeys)
    if reply != nil, let key = Self.bodyMember(of: root, besides: keys) {
      let name = VisibleText.shortened(key.text, to: 80)
      findings.report(
        .fixtureUnknownKey, "unknown key `\(name)`", at: key,
        help: "a body in JSON has a key of its own: `json: {\(name): ...}`")
      return false
    }
    guard findings.isMapping(root, "a mapping with \(FixtureKey.names)", keys: keys) else { return false }
    fixture.summary = text(.summary, in: root)
    fixture.contentType = text(.contentType, in: root)
    (fixture.headers, fixture.omittedHeaders) = headers(in: root)
    var faults = FaultNodeReader(rule: .fixtureInvalid)
    fixture.faults = faults.delays(root["delay"]) + faults.faults(root["fault"])
    findings.add(faults.diagnostics)
    fixture.violates = violates(in: root)
    if let node = root["when"] {
      var reader = RequestMatcherReader()
      fixture.when = reader.read(node)
      findings.add(reader.diagnostics)
    }
    fixture.priority = priority(in: root)
    body(&fixture, in: root)
    headerTemplates(&fixture, in: root)
    pauses(&fixture, in: root)
    return findings.all.count == before
  }

  /// The first key of a reply that is written like a body: none of its keys is known, or resembles a known one.
  private static func bodyMember(of root: JSON, besides known: [String]) -> JSON? {
    let names = root.members.map(\.name)
    func isKnown(_ name: String) -> Bool {
      known.contains { $0.utf8Equals(name) } || Suggestion.nearest(to: name, among: known) != nil
    }
    guard !names.contains(where: isKnown) else { return nil }
    return root.members.first { _ in true }?.key
  }

  // MARK: - Keys

  private mutating func text(_ key: FixtureKey, in root: JSON) -> String? {
    root[key.rawValue].flatMap { findings.string($0, of: "`\(key.rawValue)`") }
  }

  /// The headers, and the names of those that are not sent, whose value is `null`.
  private mutating func headers(in root: JSON) -> ([(name: String, value: String)], omitted: Set<String>) {
    guard let node = root["headers"], findings.isMapping(node, "a mapping of header names to values") else {
      return ([], [])
    }
    var result: [(name: String, value: String)] = []
    var omitted: Set<String> = []
    for member in node.members {
      if member.value.isNull {
        omitted.insert(FieldSyntax.lowercased(member.name.utf8))
        continue
      }
      let values = member.value.isArray ? Array(member.value.elements) : [member.value]
      for value in values {
        guard let text = findings.text(value, of: "the header `\(member.name)`") else { continue }
        guard HeaderText.isName(member.name), HeaderText.isValue(text) else {
          findings.report(
            "`\(member.name)` cannot be sent as a header: expected letters, digits and `-`, and a value of one line",
            at: value)
          continue
        }
        result.append((member.name, text))
      }
    }
    return (result, omitted)
  }

  private mutating func priority(in root: JSON) -> Int {
    guard let node = root["priority"] else { return 0 }
    guard let priority = node.int, abs(priority) <= Self.priorityLimit else {
      return findings.reject(
        "expected a whole number from \(-Self.priorityLimit) to \(Self.priorityLimit) for `priority`", at: node) ?? 0
    }
    if root["when"] == nil {
      findings.report("`priority` is for fixtures with `when`: without it a fixture is tried last", at: node)
    }
    return priority
  }

  private mutating func violates(in root: JSON) -> [String] {
    guard let node = root["violates"], let list = findings.list(node, "a list of rule ids") else { return [] }
    return list.compactMap { element in
      let id = element.string ?? JSONWriter.text(element)
      if Rule.named(id) != nil { return id }
      let known = Rule.response.map(\.id)
      findings.report(
        "unknown rule `\(id)`", at: element,
        help: Suggestion.phrase(for: id, among: known) ?? "a fixture can violate: \(known.joined(separator: ", "))")
      return nil
    }
  }

  private mutating func body(_ fixture: inout Fixture, in root: JSON) {
    func value(_ key: FixtureKey, _ short: String) -> JSON? { root[key.rawValue] ?? (reply == nil ? nil : root[short]) }
    let shortKeys = reply == nil ? [] : Self.routeKeys.prefix(2)
    let given = (shortKeys + [FixtureKey.body, .bodyFile, .text].map(\.rawValue)).compactMap { root.key($0) }
    if given.count > 1 {
      findings.report(
        "`\(given[0].text)` and `\(given[1].text)` exclude each other", at: given[1], help: "keep one of them")
      return
    }
    var bytes: [UInt8] = []
    var file: SourceFile?
    var fileExtension = "txt"
    if let node = value(.body, "json") {
      bytes = JSONWriter.bytes(node)
      fileExtension = "json"
    } else if let text = text(.text, in: root) {
      bytes = Array(text.utf8)
    } else if let node = value(.bodyFile, "file"), let name = findings.string(node, of: "`\(given[0].text)`") {
      let path = Path.join(Path.folder(of: source.path), name)
      bodyFile = path
      do {
        let read = try FileSystem.read(path, within: access)
        (file, bytes) = (read, read.bytes)
        let isFilled = reply != nil && TemplateTag.first(in: bytes) != nil
        if Path.fileExtension(of: name) == "json", root["template"] == nil, !isFilled { checkSyntax(read, fixture) }
      } catch {
        findings.add(
          Diagnostic(
            unreadableFixture: error, as: .fixtureInvalid, "the body file `\(name)` cannot be read: \(error.message)",
            at: Location(node)))
      }
      fileExtension = Path.fileExtension(of: name)
    }
    if let type = fixture.contentType { fileExtension = FileExtension.forMediaType(type) }
    if given.isEmpty { fileExtension = "" }
    fixture.body = .bytes(bytes, fileExtension: fileExtension)
    let bodyNode = value(.body, "json") ?? root["text"] ?? root["template"] ?? root
    let reader = self
    func location(of tag: Range<Int>) -> Location {
      file.map { Location($0, tag) } ?? reader.place(of: tag, in: bytes, at: bodyNode)
    }
    if reply != nil, root["template"] == nil {
      // Files may be templates of other programs.
      let hasTag = file == nil ? TemplateTag.isOpen(in: bytes) : TemplateTag.first(in: bytes) != nil
      if hasTag || fixture.headers.contains(where: { TemplateTag.isOpen(in: Array($0.value.utf8)) }) {
        fill(&fixture, fileExtension, location(of:))
      }
      return
    }
    guard let node = root["template"] else {
      guard let tag = TemplateTag.first(in: bytes) else { return }
      let help = "add `template: true`, or `template: false` to send it as it is"
      tagFindings = [Self.unfilled(bytes[tag], at: location(of: tag), help: help)]
      return
    }
    guard findings.flag(node, of: "`template`") == true else { return }
    fill(&fixture, fileExtension, location(of:))
  }

  /// Makes a template of a body.
  private mutating func fill(
    _ fixture: inout Fixture, _ fileExtension: String, _ location: (_ tag: Range<Int>) -> Location
  ) {
    guard case .bytes(let bytes, _) = fixture.body else { return }
    do {
      let template = try FixtureTemplate(bytes, fileExtension: fileExtension)
      fixture.body = .template(template)
      tagFindings = template.unknownNames(in: .fixture).map { Diagnostic($0, at: location($0.tag)) }
    } catch {
      findings.add(Diagnostic(unreadableTemplate: error, at: location(error.range)))
    }
  }

  /// Reads the values of headers as templates where the body is one.
  private mutating func headerTemplates(_ fixture: inout Fixture, in root: JSON) {
    let values = root["headers"]?.members.flatMap { $0.value.array ?? [$0.value] } ?? []
    for value in values where value.isString {
      let bytes = Array(value.text.utf8)
      guard let tag = TemplateTag.first(in: bytes) ?? (fixture.body.isTemplate ? 0..<0 : nil) else { continue }
      guard fixture.body.isTemplate else {
        if root["template"] != nil { continue }
        let help = "add `template: true`, or `template: false` to send it as it is"
        tagFindings.append(Self.unfilled(bytes[tag], at: place(of: tag, in: bytes, at: value), help: help, "the value"))
        continue
      }
      do {
        let template = try FixtureTemplate(bytes, fileExtension: "txt")
        if template.isConstant { continue }
        fixture.headerTemplates.append(template)
        tagFindings += template.unknownNames(in: .fixture).map {
          Diagnostic($0, at: place(of: $0.tag, in: bytes, at: value))
        }
      } catch {
        findings.add(Diagnostic(unreadableTemplate: error, at: place(of: error.range, in: bytes, at: value)))
      }
    }
  }

  private static func unfilled(
    _ tag: ArraySlice<UInt8>, at location: Location, help: String, _ title: String = "the body"
  ) -> Diagnostic {
    let text = String(decoding: tag, as: UTF8.self)
    return Diagnostic(
      .fixtureTemplateOff, "`\(text)` is sent as text: \(title) is no template", at: location, help: help)
  }

  /// A pause for each record of a body that is a stream.
  private mutating func pauses(_ fixture: inout Fixture, in root: JSON) {
    guard let node = root["pauses"], let list = findings.list(node, "a list of times for `pauses`") else { return }
    let pauses = list.map { $0.isString ? Duration(text: $0.text) : nil }
    if let wrong = pauses.firstIndex(of: nil) {
      return findings.report(
        "`\(VisibleText.shortened(list[wrong].text, to: 40))` is not a time", at: list[wrong], help: "as in 250ms")
    }
    guard case .bytes(let bytes, _) = fixture.body else {
      return findings.report(
        "`pauses` cannot be combined with a template", at: node,
        help: "the body of a stream with pauses is sent as it is")
    }
    let type = fixture.contentType(under: fixture.response(in: operation)).flatMap { MediaRange($0) }
    guard let records = StreamRecords(bytes, type) else {
      return findings.report(
        "`pauses` are for a stream, and the body is \(type?.essence ?? "of no type")", at: node,
        help: "as in `contentType: text/event-stream`, or application/x-ndjson")
    }
    guard records.count == pauses.count else {
      return findings.report(
        "expected \(records.count.counted("time")), one for each record of the body, found \(pauses.count)", at: node)
    }
    fixture.pauses = pauses.compactMap(\.self)
  }

  /// The location of a tag in the description.
  private func place(of tag: Range<Int>, in body: [UInt8], at node: JSON) -> Location {
    Location(ofTag: tag, in: body, at: node, source)
  }

  // MARK: - Findings

  /// RFC 9110, 15.3.5, 15.3.6 and 15.4.5.
  private mutating func checkBody(_ fixture: Fixture) {
    guard case .code(let code) = fixture.status, code < 200 || [204, 205, 304].contains(code), !fixture.body.isEmpty,
      !fixture.violates.contains(where: { $0 == "resp.body.unexpected" || $0 == "resp.status.undocumented" })
    else { return }
    findings.add(
      Diagnostic(
        .fixtureBodyForbidden, "a response \(code) has no body, but this fixture has one",
        at: fixture.node.map { Location(start: $0) } ?? Location(source),
        help: "empty the file, or add `violates: [resp.body.unexpected]` to a .yaml fixture"))
  }

  /// Reports invalid JSON in a `.json` file; an empty file is an empty body.
  private mutating func checkSyntax(_ file: SourceFile, _ fixture: Fixture) {
    guard !file.bytes.isEmpty, fixture.violates.isEmpty else { return }
    do throws(TextProblem) {
      _ = try JSONParser.parse(file)
    } catch {
      findings.add(
        Diagnostic(
          .fixtureBodySyntax, "this body is not valid JSON, and is served as it is: \(error.message)",
          at: Location(file, error.range),
          help: "fix it; if it is intended, name it as `bodyFile` of a .yaml fixture with "
            + "`violates: [resp.body.unparsable]`"))
    }
  }
}
