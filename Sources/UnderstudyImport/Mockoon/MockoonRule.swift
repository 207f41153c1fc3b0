/// Reads a rule of a response of Mockoon.
enum MockoonRule {
  /// The condition, without `invert`; `nil` with a remark.
  static func predicate(_ rule: JSON, _ context: inout ImportContext) -> Predicate? {
    let target = rule["target"]?.text ?? ""
    guard let part = part(of: target) else {
      context.lost("rule \(target)", "a condition on `\(target)` has no counterpart", at: rule)
      return nil
    }
    let value = rule["value"]?.text ?? ""
    let modifier = rule["modifier"]?.text ?? ""
    guard !value.contains("{{"), !modifier.contains("{{") else {
      context.lost("rule with a template", "conditions have fixed values", at: rule)
      return nil
    }
    guard let name = name(modifier, part) else {
      context.lost("rule modifier", "`\(VisibleText.shortened(modifier, to: 60))` has no counterpart", at: rule)
      return nil
    }
    func test(_ test: JSON) -> Predicate { .test(part, name, test) }
    switch rule["operator"]?.text ?? "equals" {
    case "equals", "array_includes": return test(.string(value))
    case "regex": return context.pattern(value, isWhole: false, at: rule).map(test)
    case "regex_i": return context.pattern(value, isWhole: false, ignoringCase: true, at: rule).map(test)
    case "null" where part == .body && name != "$": return .any([test(.null), test(.string("null"))])
    case "null": return test(.null)
    case "empty_array" where part == .body: return test(["equalsJson": []])
    case let other:
      context.lost(
        "rule \(other)", "the operator `\(VisibleText.shortened(other, to: 40))` has no counterpart", at: rule)
      return nil
    }
  }

  private static func part(of target: String) -> RequestPart? {
    switch target {
    case "body": .body
    case "query": .query
    case "header": .header
    case "cookie": .cookie
    case "params": .path
    default: nil
    }
  }

  private static func name(_ modifier: String, _ part: RequestPart) -> String? {
    guard part == .body else {
      guard part == .query, modifier.contains(".") else { return modifier.isEmpty ? nil : modifier }
      // A member of a nested parameter: `obj.prop` is `obj[prop]`.
      let steps = modifier.split(separator: ".")
      return steps.dropFirst().reduce(String(steps[0])) { "\($0)[\($1)]" }
    }
    if modifier.isEmpty { return "$" }
    if modifier.hasPrefix("$") { return ForeignPath.jsonPath(modifier) }
    if modifier.hasPrefix("/") { return ForeignPath.xPath(modifier)?.path }
    return modifier.contains(".")
      ? "/" + modifier.split(separator: ".").map { JSONPointer.escape(String($0)) }.joined(separator: "/") : modifier
  }
}
