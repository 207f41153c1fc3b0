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
    for old in operation.old.parameters {
      if let new = counterpart(of: old) {
        matched.insert(new.node.id)
        compare(old, new)
      } else {
        let rule: Rule = old.location == .path ? .pathParameterRemoved : .parameterRemoved
        changes.add(
          rule, "\(Self.name(old)) was removed", new: operation.new.keyNode, old: old.node, about: operation.new)
      }
    }
    for new in operation.new.parameters where !matched.contains(new.node.id) {
      let rule: Rule =
        new.isRequired ? hasDefault(new) ? .parameterAddedDefault : .parameterAddedRequired : .parameterAdded
      let words = new.isRequired ? hasDefault(new) ? " and is required, with a default" : " and is required" : ""
      changes.add(
        rule, "\(Self.name(new)) was added\(words)", new: new.node, old: operation.old.keyNode, about: operation.new)
    }
  }

  private func counterpart(of old: Parameter) -> Parameter? {
    let name = old.location == .path ? renamed[Array(old.name.utf8)] ?? Array(old.name.utf8) : Array(old.name.utf8)
    let key = ParameterKey(String(decoding: name, as: UTF8.self), in: old.location.rawValue)
    return operation.new.parameters.first { ParameterKey($0.name, in: $0.location.rawValue) == key }
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
    if (old.content == nil) != (new.content == nil) {
      add(.parameterContent, "is now described by `\(new.content == nil ? "schema" : "content")`")
      return
    }
    if old.content == nil, form(old, isOld: true) != form(new, isOld: false) {
      add(.parameterStyle, "is now written in the style \(Self.style(new)), was \(Self.style(old))")
    }
    let diff = operation.diff
    let values = (diff.defaultValue(of: old.schema, isOld: true), diff.defaultValue(of: new.schema, isOld: false))
    if !new.isRequired, values.0 != values.1 {
      let words = (values.0.map { JSONWriter.text($0) } ?? "none", values.1.map { JSONWriter.text($0) } ?? "none")
      add(.parameterDefault, "has another default: now \(words.1), was \(words.0)")
    }
    operation.diff.compare(
      old.schema ?? old.content?.schema, new.schema ?? new.content?.schema,
      SchemaPlace(
        name: name, direction: .request, operation: operation.new, node: new.node,
        isText: new.content == nil && new.style != .deepObject))
  }

  private static func style(_ parameter: Parameter) -> String {
    "`\(parameter.style.rawValue)`\(parameter.explode ? " with" : " without") `explode`"
  }

  /// The form on the wire; a plain value is the same in most styles.
  private func form(_ parameter: Parameter, isOld: Bool) -> String {
    let isPlain = operation.diff.types(of: parameter.schema, isOld: isOld).isDisjoint(with: .composite)
    let hasFormOfItsOwn = [Parameter.Style.matrix, .label, .deepObject].contains(parameter.style)
    if isPlain { return hasFormOfItsOwn ? parameter.style.rawValue : "plain" }
    return Self.style(parameter)
  }
}
