/// The words for a difference of schemas.
struct DifferenceWording {
  private let difference: SchemaDifference
  /// Whether the old side is the tested one.
  private let isRequest: Bool

  /// The word for values: a request accepts them, in a response they are possible.
  private let accepted: String

  /// - Parameter direction: The direction of the compared schemas, whichever side is tested.
  init(_ difference: SchemaDifference, isRequest: Bool, _ direction: Direction) {
    self.difference = difference
    self.isRequest = isRequest
    accepted = direction == .request ? "accepted" : "possible"
  }

  private var name: String { "`\(VisibleText.shortened(difference.subject, to: 100))`" }
  private var old: String? { isRequest ? difference.subWords : difference.supWords }
  private var new: String? { isRequest ? difference.supWords : difference.subWords }

  var text: String {
    switch difference.kind {
    case .type where old != nil && new != nil: "the type is now `\(new ?? "")`, was `\(old ?? "")`"
    case .type: isRequest ? "\(name) is no longer \(accepted)" : "may now be \(name)"
    case .null: isRequest ? "`null` is no longer \(accepted)" : "may now be `null`"
    case .enumeration where difference.subject.isEmpty:
      isRequest
        ? "only listed values are \(accepted) now: \(new ?? "")"
        : "may now be other values than those listed: \(old ?? "")"
    case .enumeration: isRequest ? "\(name) is no longer \(accepted)" : "may now be \(name)"
    case .range, .multiple, .length, .pattern, .format, .content, .size, .default: limit
    case .unique: isRequest ? "`uniqueItems` was added" : "`uniqueItems` was removed"
    case .required, .requiredDefault: required
    case .propertyOpen: isRequest ? "the property \(name) was removed" : "the property \(name) was added"
    case .propertyClosed:
      isRequest
        ? "the property \(name) was removed, and undeclared properties are refused"
        : "the property \(name) was added, and undeclared properties were excluded before"
    case .propertyUndeclared:
      isRequest ? "the optional property \(name) was added" : "the optional property \(name) was removed"
    case .additional:
      isRequest ? "undeclared properties are no longer \(accepted)" : "undeclared properties are now possible"
    case .names: "the names of properties differ"
    case .dependent:
      isRequest
        ? "a value with `\(difference.supWords ?? "")` now needs \(name)"
        : "a value with `\(difference.supWords ?? "")` may now lack \(name)"
    case .alternative where !difference.subject.isEmpty:
      isRequest ? "the alternative \(name) is no longer \(accepted)" : "may now be the alternative \(name)"
    case .alternative:
      isRequest ? "no alternative accepts some values of before" : "no alternative of before covers some values"
    case .hidden: "the property \(name) is now \(isRequest ? "`readOnly`" : "no longer `writeOnly`")"
    case .extensible:
      isRequest ? "\(name) is no longer in `x-extensible-enum`" : "\(name) was added to `x-extensible-enum`"
    case .keyword where difference.subject == "oneOf":
      isRequest
        ? "values that several alternatives of `oneOf` accept are no longer \(accepted)"
        : "may now be a value that several alternatives of `oneOf` accept"
    case .discriminator, .keyword: "\(name) differs"
    }
  }

  private var limit: String {
    switch (old, new) {
    case (nil, let new?): "`\(difference.subject): \(new)` was added"
    case (let old?, nil): "`\(difference.subject): \(old)` was removed"
    case (let old?, let new?): "\(name) is now `\(new)`, was `\(old)`"
    case (nil, nil): "\(name) differs"
    }
  }

  private var required: String {
    let end = difference.kind == .requiredDefault ? ", with a default" : ""
    guard isRequest else {
      return difference.subWords == nil
        ? "the required property \(name) was removed" : "the property \(name) is no longer required"
    }
    return difference.subWords == nil
      ? "the property \(name) was added and is required" + end : "the property \(name) is now required" + end
  }
}
