extension DifferenceKind {
  /// The kinds with rules of their own in both directions.
  static let reported: [Self] = allCases

  /// The rule for a request, whose values may only become more.
  package var request: Rule { Self.requestRules[self] ?? .diffRequestUndecided }

  /// The rule for a response, whose values may only become fewer.
  package var response: Rule { Self.responseRules[self] ?? .diffResponseUndecided }

  private static let requestRules = rules(isRequest: true)
  private static let responseRules = rules(isRequest: false)

  private static func rules(isRequest: Bool) -> [Self: Rule] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.rule(isRequest: isRequest)) })
  }

  private func rule(isRequest: Bool) -> Rule {
    Rule(
      "diff.\(isRequest ? "request" : "response").\(rawValue)", severity(isRequest: isRequest), owner: .contract,
      isRequest ? words.request : words.response, help: help(isRequest: isRequest),
      pairs: [
        pair((example.sub, example.sup), isRequest: isRequest, isReported: true),
        pair(example.quiet ?? (example.sup, example.sub), isRequest: isRequest, isReported: false),
      ])
  }

  /// The tested side of a request is the old one.
  private func pair(_ pair: (sub: String, sup: String), isRequest: Bool, isReported: Bool) -> Rule.PairExample {
    let (old, new) = isRequest ? (pair.sub, pair.sup) : (pair.sup, pair.sub)
    return Rule.PairExample(
      Self.contract(old, isRequest: isRequest), Self.contract(new, isRequest: isRequest), isReported: isReported)
  }

  private static func contract(_ schema: String, isRequest: Bool) -> String {
    let content = "content:\n  application/json:\n    schema: \(schema)"
    return isRequest
      ? Rule.operations(
        "post:\n  responses: {\"200\": {description: OK}}\n  requestBody:\n\(Rule.indented(content, by: 4))")
      : Rule.responses("\"200\":\n  description: OK\n\(Rule.indented(content, by: 2))")
  }

  func severity(isRequest: Bool) -> Severity {
    switch self {
    case .propertyOpen: isRequest ? .warning : .info
    case .propertyClosed: isRequest ? .error : .warning
    case .propertyUndeclared: isRequest ? .info : .warning
    case .hidden, .discriminator: .warning
    case .default: .info
    case .extensible: isRequest ? .error : .info
    default: .error
    }
  }

  private func help(isRequest: Bool) -> String {
    let set =
      isRequest
      ? "Every value that a request could have must stay valid."
      : "A response must not have values that were not possible before."
    switch self {
    case .enumeration, .alternative:
      return isRequest ? set : set + " The policy `tolerant-reader` allows it, for clients that ignore unknown values."
    case .requiredDefault:
      return set
        + " A required property must be sent, whatever its default; a server that uses the default may lower this rule."
    case .propertyUndeclared:
      return isRequest
        ? """
        A client that already sends a property of this name with another type fails; where `additionalProperties` invites \
        such properties, this is a warning.
        """ : "A client that needs it fails; it was optional, so that a client had to manage without it."
    case .propertyOpen:
      return isRequest ? "The server ignores it, or handles it as any other property." : "A client ignores it."
    case .format: return set + " Where a format only annotates in the dialect, the change is a warning."
    case .content: return "The value is written in another way, which no schema checks."
    case .discriminator:
      return
        "A discriminator refuses no value, but generated clients decode alternatives by its property and its mapping."
    case .hidden: return "A `readOnly` property is not sent in requests, a `writeOnly` one not in responses."
    case .default:
      return "Values without the property mean something else. The default of a parameter is `diff.param.default`."
    case .extensible:
      return isRequest
        ? "Clients may still send the value."
        : "`x-extensible-enum` announces that further values may follow, so that clients must expect them."
    case .keyword: return set + " The keyword is not compared in general; a value was found that proves the break."
    default: return set
    }
  }

  /// The summaries of the rules.
  private var words: (request: String, response: String) {
    switch self {
    case .type: ("A type is no longer accepted", "A further type is possible")
    case .null: ("`null` is no longer accepted", "`null` is now possible")
    case .enumeration: ("A listed value is no longer accepted", "A value beyond the listed ones is possible")
    case .range: ("A range of numbers became smaller", "A range of numbers became larger")
    case .multiple: ("`multipleOf` became stricter", "`multipleOf` became less strict")
    case .length: ("The length of a string became more limited", "The length of a string became less limited")
    case .pattern: ("A `pattern` matches fewer strings", "A `pattern` matches more strings")
    case .format: ("A `format` became stricter", "A `format` became less strict")
    case .content: ("The encoding of a string changed", "The encoding of a string changed in a response")
    case .size:
      (
        "The number of elements or properties became more limited",
        "The number of elements or properties became less limited"
      )
    case .unique: ("Elements must be unique now", "Elements may be equal now")
    case .required: ("A property became required", "A property is no longer certain")
    case .requiredDefault:
      ("A property with a default became required", "A property with a default is no longer certain")
    case .propertyOpen: ("A property was removed", "A property was added")
    case .propertyClosed: ("A property was removed from a closed object", "A property was added to a closed object")
    case .propertyUndeclared: ("An optional property was added", "An optional property was removed")
    case .additional: ("Undeclared properties are no longer accepted", "Undeclared properties are now possible")
    case .names: ("Names of properties are more limited", "Names of properties are less limited")
    case .dependent: ("A property needs another one now", "A property no longer implies another one")
    case .alternative: ("Alternatives accept less together", "Alternatives accept more together")
    case .hidden: ("A property is now `readOnly`", "A property is no longer `writeOnly`")
    case .discriminator: ("The discriminator of a request changed", "The discriminator of a response changed")
    case .default: ("The default of a request changed", "The default of a response changed")
    case .extensible:
      ("A value was removed from `x-extensible-enum`", "A value was added to `x-extensible-enum`")
    case .keyword: ("Another keyword refuses values of before", "Another keyword accepts further values")
    }
  }

  /// Two schemas: some values of the first are no values of the second.
  private var example: (sub: String, sup: String, quiet: (sub: String, sup: String)?) {
    switch self {
    case .type: ("{type: [string, integer]}", "{type: string}", nil)
    case .null:
      (
        "{type: [string, \"null\"]}", "{type: string}",
        ("{oneOf: [{type: string}, {type: \"null\"}]}", "{type: [string, \"null\"]}")
      )
    case .enumeration: ("{enum: [cat, dog]}", "{enum: [cat]}", nil)
    case .range:
      (
        "{type: integer, minimum: 1}", "{type: integer, minimum: 5}",
        ("{type: integer, minimum: 1}", "{type: integer, exclusiveMinimum: 0}")
      )
    case .multiple: ("{type: integer, multipleOf: 2}", "{type: integer, multipleOf: 4}", nil)
    case .length:
      ("{type: string}", "{type: string, maxLength: 10}", ("{type: string}", "{type: string, minLength: 0}"))
    case .pattern:
      (
        "{type: string, pattern: \"^[a-z]+$\"}", "{type: string, pattern: \"^[a-c]+$\"}",
        ("{type: string, pattern: \"^[a-z]{2}$\"}", "{type: string, pattern: \"^[a-z]+$\"}")
      )
    case .format: ("{type: string}", "{type: string, format: date}", nil)
    case .content: ("{type: string}", "{type: string, contentEncoding: base64}", ("{type: string}", "{type: string}"))
    case .size: ("{type: array, items: {}}", "{type: array, items: {}, maxItems: 3}", nil)
    case .unique:
      (
        "{type: array, items: {}}", "{type: array, items: {}, uniqueItems: true}",
        ("{type: array, maxItems: 1}", "{type: array, maxItems: 1, uniqueItems: true}")
      )
    case .required:
      (
        "{type: object, properties: {name: {type: string}}}",
        "{type: object, required: [name], properties: {name: {type: string}}}", nil
      )
    case .requiredDefault:
      (
        "{type: object, properties: {n: {type: integer, default: 1}}}",
        "{type: object, required: [n], properties: {n: {type: integer, default: 1}}}", nil
      )
    case .propertyOpen:
      (
        "{type: object, properties: {name: {type: string}, age: {type: integer}}}",
        "{type: object, properties: {name: {type: string}}}", nil
      )
    case .propertyClosed:
      (
        "{type: object, additionalProperties: false, properties: {name: {type: string}, age: {type: integer}}}",
        "{type: object, additionalProperties: false, properties: {name: {type: string}}}", nil
      )
    case .propertyUndeclared:
      (
        "{type: object, properties: {name: {type: string}}}",
        "{type: object, properties: {name: {type: string}, age: {type: integer}}}", nil
      )
    case .additional: ("{type: object}", "{type: object, additionalProperties: false}", nil)
    case .names: ("{type: object}", "{type: object, propertyNames: {maxLength: 3}}", nil)
    case .dependent: ("{type: object}", "{type: object, dependentRequired: {card: [name]}}", nil)
    case .alternative:
      (
        "{oneOf: [{required: [kind], type: object, properties: {kind: {const: cat}}}, {required: [kind], type: object, properties: {kind: {const: dog}}}]}",
        "{oneOf: [{required: [kind], type: object, properties: {kind: {const: cat}}}]}", nil
      )
    case .hidden:
      (
        "{type: object, properties: {id: {type: string}}}",
        "{type: object, properties: {id: {type: string, readOnly: true, writeOnly: true}}}", nil
      )
    case .discriminator:
      (
        "{oneOf: [{title: A, type: object}, {type: string}], discriminator: {propertyName: kind}}",
        "{oneOf: [{title: A, type: object}, {type: string}], discriminator: {propertyName: type}}",
        (
          "{oneOf: [{title: A, type: object}], discriminator: {propertyName: kind, mapping: {a: A}}}",
          "{oneOf: [{title: A, type: object}], discriminator: {propertyName: kind, mapping: {a: \"#/components/schemas/A\"}}}"
        )
      )
    case .default:
      (
        "{type: integer, default: 1}", "{type: integer, default: 2}",
        ("{type: integer, default: 1}", "{default: 1, type: integer}")
      )
    case .extensible:
      ("{type: string, x-extensible-enum: [cat, dog]}", "{type: string, x-extensible-enum: [cat]}", nil)
    case .keyword: ("{type: string}", "{type: string, not: {maxLength: 3}}", nil)
    }
  }
}

extension Rule {
  private static let undecidedHelp = """
    Values are compared as sets, as far as that can be decided: `not`, conditions, `unevaluated*`, overlapping `oneOf` and \
    irregular patterns cannot, nor what exceeds a limit. No value was found that breaks, and none was excluded. Compare the \
    two places by hand, and put the finding in the baseline if nothing breaks.
    """

  package static let diffRequestUndecided = Rule(
    "diff.request.undecided", .warning, owner: .contract, "A change to a request cannot be judged", help: undecidedHelp)
  package static let diffResponseUndecided = Rule(
    "diff.response.undecided", .warning, owner: .contract, "A change to a response cannot be judged",
    help: undecidedHelp)
  package static let diffRequestWidened = Rule(
    "diff.request.widened", .info, owner: .contract, "A request accepts further values",
    help: "No client that follows the old contract fails.")
  package static let diffResponseNarrowed = Rule(
    "diff.response.narrowed", .info, owner: .contract, "A response has fewer values",
    help: "No client that follows the old contract fails.")
}
