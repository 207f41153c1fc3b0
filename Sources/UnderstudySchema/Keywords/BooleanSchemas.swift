/// The schema `false`.
extension FailureCollector {
  func falseFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    switch path.role {
    case .name:
      return KeywordFailure(
        "false", "the property \(Wording.name(value.text)) is not allowed: this object allows no names")
    case .member:
      if case .key(let name) = path.steps.last {
        return KeywordFailure(
          "false", "the property \(Wording.name(name)) is not allowed, found \(Wording.found(value))")
      }
    case .value: break
    }
    let found = "found \(Wording.found(value))"
    return switch origin(instruction).keyName {
    case "then": KeywordFailure("false", "expected a value that does not fit `if`, \(found)")
    case "else": KeywordFailure("false", "expected a value that fits `if`, \(found)")
    default: KeywordFailure("false", "no value is allowed here, \(found)")
    }
  }
}
