extension SchemaDifference {
  /// Whether it is worth a note where it breaks nothing.
  var isNotedWhenSafe: Bool {
    switch kind {
    case .propertyOpen, .propertyClosed, .propertyUndeclared, .hidden, .discriminator, .keyword, .content, .default,
      .extensible:
      false
    case .required, .requiredDefault: subWords != nil
    default: true
    }
  }
}

extension Rule {
  /// The rule and the severity of a difference.
  static func of(_ difference: SchemaDifference, isRequest: Bool, isSafe: Bool) -> (Rule, Severity) {
    if isSafe { return (isRequest ? .diffRequestWidened : .diffResponseNarrowed, .info) }
    let rule = isRequest ? difference.kind.request : difference.kind.response
    switch difference.verdict {
    case .broken where difference.kind == .propertyUndeclared && isRequest && difference.subWords != nil:
      return (rule, .warning)
    case .broken: return (rule, rule.severity)
    case .stated: return (rule, difference.kind == .format ? .warning : rule.severity)
    case .undecided where difference.kind == .propertyUndeclared: return (rule, rule.severity)
    case .undecided: return isRequest ? (.diffRequestUndecided, .warning) : (.diffResponseUndecided, .warning)
    }
  }
}
