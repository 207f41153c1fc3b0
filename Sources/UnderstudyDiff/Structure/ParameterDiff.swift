/// Compares the parameters of two versions of an operation.
struct ParameterDiff {
  private let operation: OperationDiff
  private var changes: ChangeList { operation.changes }
  /// The new names of path parameters by their names before.
  private let renamed: [[UInt8]: [UInt8]]

  init(_ operation: OperationDiff) {
    self.operation = operation
    let (before, after) = (PathTemplate(operation.old.path).names, PathTemplate(operation.new.path).names)
    renamed = Dictionary(zip(before, after).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
  }

  func run() {
    var matched: Set<NodeID> = []
    var unmatched: [Parameter] = []
    let (before, after) = (
      Self.described(operation.old, operation.diff.old), Self.described(operation.new, operation.diff.new)
    )
    for old in before {
      if let new = counterpart(of: old, among: after) {
        matched.insert(new.node.id)
        compare(old, new)
      } else {
        unmatched.append(old)
      }
    }
    var added = after.filter { !matched.contains($0.node.id) }
    for old in unmatched {
      if let position = added.firstIndex(where: { $0.name.utf8Equals(old.name) }) {
        moved(old, added.remove(at: position))
      } else {
        removed(old)
      }
    }
    for new in added {
      let rule: Rule =
        new.isRequired ? hasDefault(new) ? .parameterAddedDefault : .parameterAddedRequired : .parameterAdded
      let words = new.isRequired ? hasDefault(new) ? " and is required, with a default" : " and is required" : ""
      changes.add(
        rule, "\(Self.name(new)) was added\(words)", new: new.node, old: operation.old.keyNode, about: operation.new)
    }
  }

  /// The parameters that count: from 3.0 on, other parts of the contract describe some headers (OAS 3.1, 4.8.12.2).
  private static func described(_ operation: Operation, _ api: API) -> [Parameter] {
    guard api.specification > .swagger2 else { return operation.parameters }
    return operation.parameters.filter {
      $0.location != .header || !["accept", "content-type", "authorization"].contains($0.name.lowercased())
    }
  }

  private func counterpart(of old: Parameter, among parameters: [Parameter]) -> Parameter? {
    let name = old.location == .path ? renamed[Array(old.name.utf8)] ?? Array(old.name.utf8) : Array(old.name.utf8)
    let key = ParameterKey(String(decoding: name, as: UTF8.self), in: old.location.rawValue)
    return parameters.first { ParameterKey($0.name, in: $0.location.rawValue) == key }
  }

  private func removed(_ old: Parameter) {
    let today = operation.diff.options.today
    let rule: Rule =
      switch Lifecycle(old, in: operation.old).removal(on: today) {
      case _ where old.location == .path: .pathParameterRemoved
      case .unannounced, .unstable: .parameterRemoved
      case .deprecated: .parameterRemovedDeprecated
      case .beforeSunset: .parameterRemovedBeforeSunset
      }
    let end = rule == .parameterRemovedBeforeSunset ? " before its sunset date" : ""
    changes.add(
      rule, "\(Self.name(old)) was removed\(end)", new: operation.new.keyNode, old: old.node, about: operation.new)
  }

  private func moved(_ old: Parameter, _ new: Parameter) {
    changes.add(
      .parameterLocation, "\(Self.name(new)) was in the \(old.location.rawValue) before",
      new: new.node["in"] ?? new.node,
      old: old.node["in"] ?? old.node, about: operation.new)
  }

  static func name(_ parameter: Parameter) -> String {
    "the \(parameter.location.rawValue) parameter `\(parameter.name)`"
  }

  private func hasDefault(_ parameter: Parameter) -> Bool {
    operation.diff.defaultValue(of: parameter.schema, isOld: false) != nil
  }

  private func compare(_ old: Parameter, _ new: Parameter) {
    let name = Self.name(new)
    func add(_ rule: Rule, _ words: String, _ key: String? = nil) {
      changes.add(
        rule, "\(name) \(words)", new: key.flatMap { new.node[$0] } ?? new.node,
        old: key.flatMap { old.node[$0] } ?? old.node, about: operation.new)
    }
    if old.location == .path, !old.name.utf8Equals(new.name) {
      add(.pathParameterRenamed, "was named `\(old.name)`")
    } else if old.location != .path, old.isRequired != new.isRequired {
      add(
        new.isRequired ? .parameterRequired : .parameterOptional, "is \(new.isRequired ? "now" : "no longer") required",
        "required")
    }
    if !old.isDeprecated, new.isDeprecated { add(.parameterDeprecated, "is now deprecated", "deprecated") }
    if old.allowEmptyValue, !new.allowEmptyValue { add(.parameterEmpty, "no longer allows an empty value") }
    if old.allowReserved != new.allowReserved {
      add(.parameterReserved, "has another `allowReserved`", "allowReserved")
    }
    Lifecycle(new, in: operation.new).compare(
      with: Lifecycle(old, in: operation.old), operation.diff.options, changes, about: operation.new)
    if (old.content == nil) != (new.content == nil) {
      add(.parameterContent, "is now described by `\(new.content == nil ? "schema" : "content")`")
      return
    }
    if let before = old.content, let after = new.content,
      !MediaRange(after.range).covers(MediaRange(before.range))
    {
      add(.parameterContent, "now has the media type `\(after.range)`, was `\(before.range)`", "content")
      return
    }
    if old.content == nil, isWrittenOtherwise(old, new) {
      add(.parameterStyle, "is now written in the style \(Self.style(new)), was \(Self.style(old))")
    }
    let diff = operation.diff
    let values = (
      single(diff.defaultValue(of: old.schema, isOld: true)), single(diff.defaultValue(of: new.schema, isOld: false))
    )
    if !new.isRequired, values.0 != values.1 {
      let words = (values.0.map { JSONWriter.text($0) } ?? "none", values.1.map { JSONWriter.text($0) } ?? "none")
      add(.parameterDefault, "has another default: now \(words.1), was \(words.0)")
    }
    let isSingle = isArrayOfSingle(old, new)
    let after = isSingle ? new.schema.flatMap { diff.elements(of: $0) } : new.schema ?? new.content?.schema
    diff.compare(
      old.schema ?? old.content?.schema, after,
      SchemaPlace(
        name: name, direction: .request, operation: operation.new, node: new.node,
        text: new.content != nil ? .none : new.style == .deepObject ? .members : .whole, hasOwnDefault: true))
  }

  private static func style(_ parameter: Parameter) -> String {
    "`\(parameter.style.rawValue)`\(parameter.explode ? " with" : " without") `explode`"
  }

  private static func hasFormOfItsOwn(_ parameter: Parameter) -> Bool {
    [Parameter.Style.matrix, .label, .deepObject].contains(parameter.style)
  }

  private func isPlain(_ parameter: Parameter, isOld: Bool) -> Bool {
    operation.diff.types(of: parameter.schema, isOld: isOld).isDisjoint(with: .composite)
  }

  /// Whether the style changes the bytes; a plain value is the same in most styles, and as the only element of an array.
  private func isWrittenOtherwise(_ old: Parameter, _ new: Parameter) -> Bool {
    guard isPlain(old, isOld: true) || isPlain(new, isOld: false) else { return Self.style(old) != Self.style(new) }
    return (Self.hasFormOfItsOwn(old) || Self.hasFormOfItsOwn(new)) && old.style != new.style
  }

  /// Whether a plain value became an array, which accepts it as its only element.
  private func isArrayOfSingle(_ old: Parameter, _ new: Parameter) -> Bool {
    guard old.content == nil, !Self.hasFormOfItsOwn(new), let schema = new.schema else { return false }
    return isPlain(old, isOld: true) && operation.diff.isArrayOfOne(schema)
  }

  /// The only element of an array, which is written as the element itself.
  private func single(_ value: JSON?) -> JSON? {
    value?.isArray == true && value?.count == 1 ? value?[0] : value
  }
}
