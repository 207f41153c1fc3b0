/// A second try keeps what the user has entered.
enum KeptFieldsCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.kept-fields", .error, "A client lost what the user had entered before",
    help: """
      After a refusal the user corrects one field, and the others stay. `operations` names the operation, `fields` what its \
      next request has to keep, as in `kept-fields: {operations: [signUp], fields: [phoneNumber, birth]}`. It needs \
      `fields`.
      """, breaking: [:], keeping: [])
  static let defaults = ClientCheckSettings(rule)
  static let required = ["fields"]

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard settings.covers(exchange), !settings.fields.isEmpty, exchange.operation != nil,
      let refused = earlier.last(where: {
        $0.operation == exchange.operation && $0.credential == exchange.credential
      })
    else { return nil }
    let lost = settings.fields.filter { refused.fields[$0] != nil && refused.fields[$0] != exchange.fields[$0] }
    guard !lost.isEmpty else { return nil }
    return ClientCheckBreach(
      message: "the second try has another value of \(lost.map { "`\($0)`" }.joined(separator: ", "))",
      help: "keep what the user has entered until the request has succeeded", proof: refused)
  }
}
