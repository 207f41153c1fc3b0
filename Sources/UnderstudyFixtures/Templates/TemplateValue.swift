/// A value in a template, for one request.
enum TemplateValue: Sendable {
  /// The value whose members are known in the whole template.
  case root
  case request, variables, others, lists, response
  case part(RequestPart)
  case responsePart(RequestPart)
  case text(String)
  case number(TemplateNumber)
  case flag(Bool)
  case json(JSON)
  indirect case list([TemplateValue])
  /// The variables of an instance of a machine.
  case instance([String: String])

  /// A value of JSON: an array is a list; `nil` if it is empty.
  init?(_ json: JSON) {
    guard json.isArray else {
      self = .json(json)
      return
    }
    self.init(json.elements.map(TemplateValue.json))
  }

  /// The texts of a repeated name; `nil` without any.
  init?(texts: [String]) {
    guard texts.count != 1 else {
      self = .text(texts[0])
      return
    }
    self.init(texts.map(TemplateValue.text))
  }

  private init?(_ values: [TemplateValue]) {
    guard !values.isEmpty else { return nil }
    self = .list(values)
  }

  /// The items of a list are separated by commas.
  var text: String {
    switch self {
    case .root, .request, .variables, .others, .lists, .response, .part, .responsePart, .instance: ""
    case .text(let text): text
    case .number(let number): number.text
    case .flag(let flag): flag ? "true" : "false"
    case .json(let json): json.plainText
    case .list(let values): values.map(\.text).joined(separator: ",")
    }
  }

  /// The values that a section is rendered for.
  var items: [TemplateValue] {
    switch self {
    case .list(let values): values.count == 1 && values[0].isFalse ? [] : values
    default: isFalse ? [] : [self]
    }
  }

  /// The elements of a list and the members of an object, with their names; any other value is one element.
  var elements: [(name: String?, value: TemplateValue)] {
    switch self {
    case .list(let values): values.map { (nil, $0) }
    case .json(let json) where json.isArray: json.elements.map { (nil, .json($0)) }
    case .json(let json) where json.isObject: json.members.map { ($0.name, .json($0.value)) }
    case .json(let json) where json.isNull: []
    default: items.map { (nil, $0) }
    }
  }

  private var isFalse: Bool {
    switch self {
    case .text(let text): text.utf8Equals("false")
    case .flag(let flag): !flag
    case .json(let json):
      json.kind == .false || json.isString && json.length == "false".utf8.count && json.text.utf8Equals("false")
    default: false
    }
  }

  /// Whether `if` takes the value for true: not `false`, null, 0, an empty text or an empty list.
  var isTrue: Bool {
    switch self {
    case .text(let text): !text.isEmpty && !isFalse
    case .number(let number): !number.isZero
    case .json(let json):
      switch json.kind {
      case .null: false
      case .number: json.length > TemplateNumber.lengthLimit || TemplateNumber(json.text)?.isZero != true
      case .string: json.length > 0 && !isFalse
      case .array: json.count > 0
      case .true, .false, .object: !isFalse
      }
    case .list(let values): !values.isEmpty
    default: !isFalse
    }
  }

  /// The value of a number or a numeric string; `nil` for anything else, and beyond the range of `TemplateNumber`.
  var number: TemplateNumber? {
    switch self {
    case .number(let number): number
    case .text(let text): TemplateNumber(text)
    case .json(let json) where json.kind == .number || json.isString: TemplateNumber(json.text)
    default: nil
    }
  }

  private var isNumber: Bool {
    switch self {
    case .number: true
    case .json(let json): json.kind == .number
    default: false
    }
  }

  /// The number of elements or members, or of the code points of a string.
  var size: Int {
    switch self {
    case .list(let values): values.count
    case .json(let json) where json.isArray || json.isObject: json.count
    default: text.unicodeScalars.count
    }
  }

  /// The value as JSON.
  var json: JSON {
    switch self {
    case .json(let json): json
    case .flag(let flag): JSON(booleanLiteral: flag)
    case .number(let number): number.json
    case .list(let values): .array(values.map(\.json))
    case .instance(let variables): .object(variables.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    default: .string(text)
    }
  }

  /// Compares by number if one value is a number and the other can be read as one, otherwise by the bytes of both strings.
  func isLess(than other: TemplateValue) -> Bool {
    if let (mine, its) = numbers(with: other) { return mine < its }
    return text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  func isEqual(to other: TemplateValue) -> Bool {
    if let (mine, its) = numbers(with: other) { return mine == its }
    return text.utf8Equals(other.text)
  }

  private func numbers(with other: TemplateValue) -> (TemplateNumber, TemplateNumber)? {
    guard isNumber || other.isNumber, let mine = number, let its = other.number else { return nil }
    return (mine, its)
  }
}

extension JSON {
  /// The length of a string or a number in bytes; 0 for any other value.
  var length: Int { isString || kind == .number ? Int(node.count) : 0 }
}
