/// The values of the names in a `FixtureTemplate`, for one request.
struct FixtureTemplateContext {
  private let request: any RequestValues
  var environment: TemplateEnvironment
  /// The values of the open sections, the innermost last.
  var stack: [Value] = [.root]
  /// The first variable without a value.
  var missing: FixtureTemplate.Name?
  /// Earlier lookups: a name inside a section over a long list is looked up once.
  private var known: [Key: Value?] = [:]

  enum Value {
    case root, request, variables, others, lists, response
    case part(RequestPart)
    case answerPart(RequestPart)
    case text(String)
    /// At least two texts.
    case list([String])
    /// The variables of some instances of a machine.
    case instances([[String: String]])
    case instance([String: String], isLast: Bool)

    /// The items of a list are separated by commas.
    var text: String {
      switch self {
      case .root, .request, .variables, .others, .lists, .response, .part, .answerPart, .instances, .instance: ""
      case .text(let text): text
      case .list(let texts): texts.joined(separator: ",")
      }
    }

    /// The values that a section is rendered for.
    var items: [Value] {
      switch self {
      case .text("false"): []
      case .list(let texts): texts.map(Value.text)
      case .instances(let all):
        all.enumerated().map { .instance($0.element, isLast: $0.offset == all.count - 1) }
      default: [self]
      }
    }
  }

  private struct Key: Hashable {
    let part: RequestPart
    let name: [UInt8]
  }

  init(request: any RequestValues, environment: TemplateEnvironment) {
    (self.request, self.environment) = (request, environment)
  }

  /// Finds the first part of a name in the innermost section that has it, and each other part in the value before it.
  mutating func value(of name: FixtureTemplate.Name) -> Value? {
    guard let first = name.first else { return stack.last }
    var found: Value?
    for context in stack.reversed() where found == nil { found = member(first, of: context) }
    for part in name.dropFirst() { found = found.flatMap { member(part, of: $0) } }
    return found
  }

  private mutating func member(_ name: String, of value: Value) -> Value? {
    switch value {
    case .root:
      switch name {
      case "request": .request
      case "var": .variables
      case "other": .others
      case "others": .lists
      case "response": environment.response == nil ? nil : .response
      default: TemplateFunction(name: name).map { .text($0.text(&environment)) }
      }
    case .request: RequestPart(rawValue: name).map(Value.part)
    case .variables: environment.variables[name].map(Value.text)
    case .others: environment.others[name].map(Value.text)
    case .lists: environment.lists[name].map(Value.instances)
    case .instance(let variables, let isLast):
      name == "isLast" ? .text(isLast ? "true" : "false") : variables[name].map(Value.text)
    case .response: RequestPart(rawValue: name).map(Value.answerPart)
    case .answerPart(let part):
      environment.response.flatMap { response in Self.value(response.values(part, name)) }
    case .part(let part): values(of: Key(part: part, name: Array(name.utf8)), name)
    case .text, .list, .instances: nil
    }
  }

  private mutating func values(of key: Key, _ name: String) -> Value? {
    if let value = known[key] { return value }
    let texts = request.values(key.part, name)
    let value = Self.value(texts)
    known[key] = .some(value)
    return value
  }

  private static func value(_ texts: [String]) -> Value? {
    texts.count > 1 ? .list(texts) : texts.first.map(Value.text)
  }
}
