/// `false`, which no value fits.
extension FailureCollector {
  func falseFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    switch path.role {
    case .name:
      return Finding("false", "the property \(Wording.name(value.text)) must not be there, as no name is allowed")
    case .member:
      if case .key(let name) = path.steps.last {
        return Finding("false", "the property \(Wording.name(name)) must not be there, found \(Wording.found(value))")
      }
    case .value: break
    }
    let found = "found \(Wording.found(value))"
    return switch origin(instruction).keyName {
    case "then": Finding("false", "nothing that fits `if` is allowed here, \(found)")
    case "else": Finding("false", "only what fits `if` is allowed here, \(found)")
    default: Finding("false", "nothing is allowed here, \(found)")
    }
  }
}
