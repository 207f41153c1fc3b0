/// The values of names and functions at one point of a rendering.
struct TemplateScope {
  private let request: any RequestValues
  private(set) var environment: TemplateEnvironment
  /// The open sections, the innermost last.
  var frames = [Frame(.root)]
  /// The tag that is rendered, for problems.
  var tag = 0..<0
  private let budget = WorkBudget(FixtureTemplate.workLimit)
  /// The values of names that no section changes, by the positions of the names: each is looked up once.
  private var known: [Int: TemplateValue?] = [:]
  /// The roots of the JSON bodies of the request, by `true`, and of the response.
  private var roots: [Bool: JSON?] = [:]

  /// A value that a section is rendered for.
  struct Frame {
    let value: TemplateValue
    /// The position among the items; `nil` for a section that is no list.
    let index: Int?
    let count: Int
    /// The name of a member of an object.
    let name: String?
    let names: [String]

    init(_ value: TemplateValue, index: Int? = nil, count: Int = 1, name: String? = nil, names: [String] = []) {
      (self.value, self.index, self.count, self.name, self.names) = (value, index, count, name, names)
    }

    var isLast: TemplateValue { .flag(index == count - 1) }

    /// `@index`, `@first`, `@last`, `@key`.
    func position(_ name: String) -> TemplateValue? {
      guard let index else { return nil }
      switch name {
      case "@index": return .number(TemplateNumber(index))
      case "@first": return .flag(index == 0)
      case "@last": return isLast
      case "@key": return self.name.map(TemplateValue.text)
      default: return nil
      }
    }
  }

  /// The names of the position in a list.
  static let positions = ["@index", "@first", "@last", "@key"]

  init(request: any RequestValues, environment: TemplateEnvironment) {
    (self.request, self.environment) = (request, environment)
  }

  /// Pays for work, of which a rendering has a limit.
  func spend(_ units: Int) throws(TextProblem) {
    guard budget.charge(units) else {
      throw problem("the template takes more than \(FixtureTemplate.workLimit / 1_000_000) million steps", .limit)
    }
  }

  func problem(_ message: String, _ kind: TextProblem.Kind = .syntax, help: String? = nil) -> TextProblem {
    TextProblem(kind, message, at: tag, help: help)
  }

  // MARK: - Expressions

  mutating func value(of expression: TemplateExpression) throws(TextProblem) -> TemplateValue? {
    switch expression {
    case .path(let path): return try value(of: path)
    case .constant(let value): return value
    case .generated(.token(let token)):
      let now = environment.now
      let text = try token.text(now: now) { claim throws(TextProblem) in
        let value = try settled(claim)
        if let value { try spend(value.text.utf8.count) }
        return value
      }
      try spend(text.utf8.count)
      return .text(text)
    case .generated(let function):
      let text = function.text(&environment)
      try spend(text.utf8.count)
      return .text(text)
    case .query(let value, let path):
      if case .path(let name) = value, case .part(.body)? = try self.value(of: name) {
        return try query(path, of: request)
      }
      guard let root = try settled(value)?.json else { return nil }
      return try result(path.nodes(in: root, within: budget) ?? [])
    case .call(let operation, let arguments, let range): return try result(of: operation, arguments, at: range)
    }
  }

  /// The text of a variable: of a body as a whole, it is the text as it was received.
  mutating func text(of expression: TemplateExpression) throws(TextProblem) -> String? {
    let value = try value(of: expression)
    if case .part(let part)? = value { return try whole(part)?.text }
    return value?.text
  }

  /// The value as functions see it: of a JSON body as a whole, it is the root.
  mutating func settled(_ expression: TemplateExpression) throws(TextProblem) -> TemplateValue? {
    guard let value = try value(of: expression) else { return nil }
    guard case .part(let part) = value else { return value }
    if part == .body, let root = root(of: request, isRequest: true) { return try self.value(root) }
    return try whole(part)
  }

  private static let rootSelector = (try? JSONPath("$")).map(BodySelector.path)

  /// The root of a JSON body; `nil` for any other body.
  private mutating func root(of values: any RequestValues, isRequest: Bool) -> JSON? {
    if let known = roots[isRequest] { return known }
    let root = Self.rootSelector.flatMap { values.nodes($0, within: budget).first }
    roots[isRequest] = .some(root)
    return root
  }

  private func whole(_ part: RequestPart) throws(TextProblem) -> TemplateValue? {
    guard let fact: RequestFact = part == .body ? .body : part == .path ? .path : nil, let text = request.fact(fact)
    else { return nil }
    try spend(text.utf8.count / Self.bytesPerUnit)
    return .text(text)
  }

  /// A value of JSON, which costs as much as it has elements or bytes.
  private func value(_ json: JSON) throws(TextProblem) -> TemplateValue? {
    try spend(json.isArray ? json.count : json.length / Self.bytesPerUnit)
    return TemplateValue(json)
  }

  /// The bytes that are copied, and the members that are compared, for one unit of work.
  private static let bytesPerUnit = 16

  private mutating func result(
    of operation: TemplateOperation, _ arguments: [TemplateExpression], at range: Range<Int>
  ) throws(TextProblem) -> TemplateValue? {
    try spend(1 + arguments.count)
    var values: [TemplateValue?] = []
    for argument in arguments {
      let value = try settled(argument)
      if operation.readsTexts, let value { try spend(value.text.utf8.count) }
      values.append(value)
    }
    do throws(TemplateMistake) {
      return try operation.result(values)
    } catch {
      throw TextProblem(.syntax, error.message, at: range, help: error.help)
    }
  }

  // MARK: - Names

  /// Finds the first part of a name in the innermost section that has it, and each other part in the value before it.
  private mutating func value(of path: TemplatePath) throws(TextProblem) -> TemplateValue? {
    try spend(1)
    let open = frames.count - 1 - path.levels
    guard open >= 0 else { return nil }
    var parts = path.parts[...]
    guard let first = parts.first else { return frames[open].value }
    if first.name.utf8.first == UInt8(ascii: "@") {
      parts.removeFirst()
      if first.name == "@root" { return try value(of: parts, in: .root) }
      return frames[...open].last { $0.index != nil }?.position(first.name)
    }
    if path.isLocal { return try value(of: parts, in: frames[open].value) }
    parts.removeFirst()
    for index in stride(from: open, through: 1, by: -1) {
      if let found = try member(first, of: frames[index]) { return try self.value(of: parts, in: found) }
    }
    guard ["request", "response", "var"].contains(first.name) else {
      return try member(first, of: .root).flatMap { found throws(TextProblem) in try self.value(of: parts, in: found) }
    }
    if let value = known[path.range.lowerBound] { return value }
    let value = try self.value(of: path.parts[...], in: .root)
    known[path.range.lowerBound] = .some(value)
    return value
  }

  private mutating func value(
    of parts: ArraySlice<TemplatePath.Part>, in value: TemplateValue
  ) throws(TextProblem) -> TemplateValue? {
    var found: TemplateValue? = value
    for part in parts {
      guard let value = found else { return nil }
      found = try member(part, of: value)
    }
    return found
  }

  private mutating func member(_ part: TemplatePath.Part, of frame: Frame) throws(TextProblem) -> TemplateValue? {
    if let position = frame.names.firstIndex(where: { $0.utf8Equals(part.name) }) {
      return position == 0 ? frame.value : frame.position("@key") ?? frame.position("@index")
    }
    if case .instance = frame.value, part.name == "isLast" { return frame.isLast }
    return try member(part, of: frame.value)
  }

  private mutating func member(_ part: TemplatePath.Part, of value: TemplateValue) throws(TextProblem) -> TemplateValue?
  {
    if let path = part.query {
      guard case .responsePart = value else { return try query(path, of: request) }
      return try environment.response.flatMap { response throws(TextProblem) in try query(path, of: response) }
    }
    if let found = try member(part.name, of: value) { return found }
    var found: TemplateValue? = part.steps.isEmpty ? nil : value
    for step in part.steps {
      guard let value = found else { return nil }
      found = try member(step, of: value)
    }
    return found
  }

  private mutating func member(_ name: String, of value: TemplateValue) throws(TextProblem) -> TemplateValue? {
    switch value {
    case .root:
      switch name {
      case "request": return .request
      case "var": return .variables
      case "other": return .others
      case "others": return .lists
      case "response": return environment.response == nil ? nil : .response
      default: return TemplateFunction(name: name).map { .text($0.text(&environment)) }
      }
    case .request:
      return RequestPart(inTemplate: name).map(TemplateValue.part)
        ?? RequestFact(rawValue: name).flatMap(request.fact).map(TemplateValue.text)
    case .variables: return environment.variables[name].map(TemplateValue.text)
    case .others: return environment.others[name].map(TemplateValue.text)
    case .lists: return environment.lists[name].map { .list($0.map(TemplateValue.instance)) }
    case .instance(let variables): return variables[name].map(TemplateValue.text)
    case .response: return RequestPart(rawValue: name).map(TemplateValue.responsePart)
    case .responsePart(let part):
      guard let response = environment.response else { return nil }
      return try member(name, of: part, in: response, isRequest: false)
    case .part(let part):
      return try member(name, of: part, in: request, isRequest: true) ?? (part == .path ? segment(name) : nil)
    case .json(let json):
      if json.isArray, name == "length" || name == "size" { return .number(TemplateNumber(json.count)) }
      try spend(1 + json.count / Self.bytesPerUnit)
      let child = json.isArray ? Int(name).flatMap { json[$0] } : json[name]
      return try child.flatMap { child throws(TextProblem) in try self.value(child) }
    case .list(let values):
      if name == "length" || name == "size" { return .number(TemplateNumber(values.count)) }
      return Int(name).flatMap { values.indices.contains($0) ? values[$0] : nil }
    case .text: return name == "0" ? value : nil
    case .number, .flag: return nil
    }
  }

  private mutating func member(
    _ name: String, of part: RequestPart, in values: any RequestValues, isRequest: Bool
  ) throws(TextProblem) -> TemplateValue? {
    guard part == .body, let root = root(of: values, isRequest: isRequest) else {
      let texts = values.values(part, name)
      try spend(texts.count)
      return TemplateValue(texts: texts)
    }
    let isPointer = name.utf8.first == UInt8(ascii: "/")
    // A pointer may lead through any object of the body.
    try spend(1 + (isPointer ? root.document.nodes.count : root.count) / Self.bytesPerUnit)
    let node = isPointer ? JSONPointer(name).flatMap { root[$0] } : root[name]
    return try node.flatMap { node throws(TextProblem) in try value(node) }
  }

  /// A segment of the path by its position, from 0.
  private func segment(_ name: String) -> TemplateValue? {
    guard let position = Int(name), let path = request.fact(.path) else { return nil }
    let segments = path.split(separator: "/")
    return segments.indices.contains(position) ? .text(String(segments[position])) : nil
  }

  private func query(_ path: JSONPath, of values: any RequestValues) throws(TextProblem) -> TemplateValue? {
    try result(values.nodes(.path(path), within: budget))
  }

  /// The values that a JSONPath selects: one alone, or a list.
  private func result(_ nodes: [JSON]) throws(TextProblem) -> TemplateValue? {
    try spend(nodes.count)
    return nodes.count == 1 ? try value(nodes[0]) : nodes.isEmpty ? nil : .list(nodes.map(TemplateValue.json))
  }
}
