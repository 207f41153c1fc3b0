/// Reads the client checks of a scenario, of `--check` and of a lane: a list of names, each alone or with its settings.
package struct ClientCheckReader {
  /// `nil` if the operations are not known yet.
  private let operations: [String]?
  private var findings = MappingReader.fixtures

  /// - Parameter operations: The ids of the operations that a check may name; `nil` if any id is accepted.
  package init(_ operations: [String]?) { self.operations = operations }

  package var diagnostics: [Diagnostic] { findings.all }

  /// Reads `[retry-after-401, retry-storm=3, {poll-interval: {operations: [readChat], interval: 5s}}]`.
  package mutating func read(_ node: JSON) -> [ClientCheckSettings] {
    let list = findings.list(node, "a list of checks, as in `[retry-after-401, retry-storm]`") ?? []
    return list.compactMap { check($0) }
  }

  private mutating func check(_ node: JSON) -> ClientCheckSettings? {
    guard node.isObject else {
      guard let name = findings.text(node, of: "a check") else { return nil }
      if name.utf8.contains(where: Self.settingMarks.contains) { return argument(name, at: node) }
      if let settings = requestRule(name, at: node) { return settings }
      guard let check = named(name, at: node) else { return nil }
      require(check.required, of: check, at: node)
      return check.defaults
    }
    guard node.count == 1, let member = node.members.first(where: { _ in true }) else {
      findings.report("expected one check with its settings, as in `poll-interval: {interval: 5s}`", at: node)
      return nil
    }
    let value = member.value
    if var settings = requestRule(member.name, at: member.key) {
      guard findings.checkKeys(of: value, ["operations"]) else { return nil }
      if let ids = value["operations"] { settings.operations = known(ids) }
      return settings
    }
    guard let check = named(member.name, at: member.key),
      findings.isMapping(value, "a mapping for the check `\(check.defaults.name)`", keys: check.keys)
    else { return nil }
    var settings = check.defaults
    require(check.required.filter { value[$0]?.isEmptyList ?? true }, of: check, at: member.key)
    if let ids = value["operations"] { settings.operations = known(ids) }
    if let fields = value["fields"] { settings.fields = findings.texts(fields, of: "`fields`").map(\.text) }
    if let offer = value["offer"] { settings.offer = self.offer(offer) }
    if let event = value["event"] { settings.event = findings.text(event, of: "`event`") }
    if let answer = value["answer"] { settings.answer = findings.text(answer, of: "`answer`") }
    if let interval = value["interval"], let duration = findings.duration(interval, of: "`interval`") {
      settings.interval = duration.wholeMicroseconds
    }
    if let limit = value["limit"] {
      if let number = limit.int, 0...1_000_000 ~= number {
        settings.limit = number
      } else {
        findings.report("expected a whole number from 0 to 1000000 for `limit`", at: limit)
      }
    }
    if let problem = check.problem(of: settings) { report(problem, of: check, at: member.key) }
    return settings
  }

  /// The characters that a check has with its settings, as `--check` takes it, and a name has not.
  private static let settingMarks: [UInt8] = [UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "{")]

  /// Reads `retry-storm=3` or `kept-fields: {fields: [name]}`.
  private mutating func argument(_ text: String, at node: JSON) -> ClientCheckSettings? {
    do throws(UsageProblem) {
      let settings = try ClientCheckSettings(argument: text)
      for problem in operations.map({ settings.unknownOperations(among: $0) }) ?? [] {
        findings.report(.fixtureOperationUnknown, problem.message, at: node, help: problem.help)
      }
      return settings
    } catch {
      findings.report(.scenarioCheckUnknown, error.message, at: node, help: error.help)
      return nil
    }
  }

  /// The settings of a rule about requests; `nil` for another name. A rule that is off by default can be checked for a
  /// whole mock alone, since a lane validates nothing anew.
  private mutating func requestRule(_ name: String, at node: JSON) -> ClientCheckSettings? {
    guard let settings = ClientCheckSettings(requestRule: name) else { return nil }
    if Rule.optional.contains(where: { $0.id.utf8Equals(name) }) {
      findings.report(
        .scenarioCheckUnknown, "`\(name)` is off by default, and cannot be checked in a lane or a scenario", at: node,
        help: "`serve --check \(name)` checks it in every lane")
    }
    return settings
  }

  private mutating func require(_ keys: [String], of check: any ClientCheck.Type, at node: JSON) {
    if !keys.isEmpty { report(check.missing(keys), of: check, at: node) }
  }

  private mutating func report(_ problem: String, of check: any ClientCheck.Type, at node: JSON) {
    findings.report(
      problem, at: node, help: "`understudy explain \(check.rule.id)` shows them in an example")
  }

  private mutating func named(_ name: String, at node: JSON) -> (any ClientCheck.Type)? {
    if let check = ClientChecks.named(name) { return check }
    findings.report(
      .scenarioCheckUnknown, "`\(name)` is not the name of a check", at: node,
      help: Suggestion.phrase(for: name, among: ClientChecks.suggestions)
        ?? "known: \(ClientChecks.names.joined(separator: ", "))")
    return nil
  }

  private mutating func known(_ node: JSON) -> [String] {
    findings.texts(node, of: "`operations`").compactMap { id, node in
      guard let operations, !operations.contains(where: { $0.utf8Equals(id) }) else { return id }
      findings.report(
        .fixtureOperationUnknown, "no operation is called `\(id)`", at: node,
        help: Suggestion.phrase(for: id, among: operations) ?? "`understudy routes` lists them")
      return nil
    }
  }

  private mutating func offer(_ node: JSON) -> String? {
    guard let text = findings.text(node, of: "`offer`") else { return nil }
    let id = String(text.prefix { $0 != "/" })
    guard let operations, !operations.contains(where: { $0.utf8Equals(id) }) else { return text }
    findings.report(
      .fixtureOperationUnknown, "no operation is called `\(id)`", at: node,
      help: Suggestion.phrase(for: id, among: operations)
        ?? "expected an operation and a location in its response, as in `searchPets/items/*/id`")
    return nil
  }
}

extension JSON {
  fileprivate var isEmptyList: Bool { isArray && count == 0 }
}

extension ClientCheckSettings {
  package var named: [String] { operations + (offer.map { [String($0.prefix { $0 != "/" })] } ?? []) }

  package func unknownOperations(among ids: [String]) -> [Diagnostic] {
    named.filter { id in !ids.contains { $0.utf8Equals(id) } }.map { id in
      Diagnostic(
        .configInvalid, "the check `\(name)` names the operation `\(id)`, which no contract has",
        help: Suggestion.phrase(for: id, among: ids) ?? "`understudy routes` lists them")
    }
  }

  /// The default settings of a check, by its name or the id of a rule about requests.
  ///
  /// - Parameter given: The settings that follow the name.
  private static func named(_ name: String, besides given: [String]) throws(UsageProblem) -> ClientCheckSettings {
    if let settings = ClientCheckSettings(requestRule: name) { return settings }
    guard let check = ClientChecks.named(name) else {
      throw UsageProblem(
        message: "`\(name)` is not the name of a check",
        help: Suggestion.phrase(for: name, among: ClientChecks.suggestions)
          ?? "known: \(ClientChecks.names.joined(separator: ", "))")
    }
    let missing = check.required.filter { !given.contains($0) }
    guard missing.isEmpty else {
      throw UsageProblem(
        message: check.missing(missing),
        help: "write them with the check, as `understudy explain \(check.rule.id)` shows")
    }
    return check.defaults
  }

  /// Reads a check with its settings in YAML: `kept-fields: {fields: [name]}`.
  private static func settings(yaml text: String) throws(UsageProblem) -> ClientCheckSettings {
    let source = SourceFile(path: "--check", bytes: Array("[\(text)]".utf8))
    let list = (try? TextDocument.read(source))?.root
    var reader = ClientCheckReader(nil)
    if let list, list.count == 1, let settings = reader.read(list).first, reader.diagnostics.isEmpty {
      return settings
    }
    let found = reader.diagnostics.first
    throw UsageProblem(
      message: "`\(text)`: \(found?.message ?? "this is not a check")",
      help: found?.help ?? "expected one check with its settings, as in `kept-fields: {fields: [name]}`")
  }

  /// Reads `retry-storm=5`, `poll-interval:readChat=5s`, `req.param.undeclared` and `kept-fields: {fields: [name]}`.
  package init(argument: String) throws(UsageProblem) {
    if argument.utf8.contains(UInt8(ascii: "{")) {
      self = try Self.settings(yaml: argument)
      return
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let subject = parts[0].split(separator: ":", maxSplits: 1).map(String.init)
    self = try Self.named(subject.first ?? "", besides: subject.count > 1 ? ["operations"] : [])
    if subject.count > 1 { operations = subject[1].split(separator: ",").map(String.init) }
    guard parts.count > 1 else { return }
    if let number = Int(parts[1]), limit != nil, 0...1_000_000 ~= number {
      limit = number
    } else if Int(parts[1]) == nil, let duration = ScenarioDuration.read(parts[1]), interval != nil {
      interval = duration.wholeMicroseconds
    } else {
      let expected = [
        limit.map { "a number such as \($0)" }, interval.map { "a time such as \(ClientCheckTime.text($0))" },
      ]
      .compactMap(\.self)
      if interval != nil, ScenarioDuration.isTooLong(parts[1]) {
        throw UsageProblem(
          message: "`\(parts[1])` is too long for the check `\(name)`", help: "at most \(ScenarioDuration.limitText)")
      }
      throw UsageProblem(
        message: "`\(parts[1])` is not a setting of the check `\(name)`",
        help: expected.isEmpty ? "it has none: `\(name)`" : "expected \(expected.joined(separator: " or "))")
    }
  }
}
