/// One pass over an exchange: the place that is looked at, what is secret there, and what was found.
///
/// An exchange takes two passes, because a secret may be echoed before the place that shows that it is one. A class,
/// because every part of the search uses the same state.
final class RedactionPass {
  let contracts: [ContractSecrets]
  let settings: RedactionSettings
  let operation: Operation?
  var known: KnownSecrets
  var side = RedactionReport.Side.request
  /// The status of the response; `nil` in the request.
  var status: Int?
  /// The place of the value that is looked at.
  var place: [String] = []
  /// The offset of that value in the body, for the scanner.
  var offset = 0
  /// The marked schemas of the members of a body that is not JSON, by name.
  var members: [String: ResolvedSchema] = [:]
  /// Whether the text is a message of this program, whose own words stay although a secret may be one of them.
  var isMessage = false
  private(set) var found: [Found] = []
  private var strengths: [String: SecretNames.Strength] = [:]
  private var marks: [NodeID: Bool] = [:]

  struct Found: Sendable {
    var place: RedactionReport.RedactedPlace
    var offset: Int
    /// Its first bytes, up to `startLimit`.
    var start: [UInt8]
    var count: Int
  }

  /// The bytes of a secret that are held: messages quote at most 80 characters.
  static let startLimit = 320

  /// The bytes of the shortest secret that neither a contract nor a user declares.
  static let shortest = 3

  init(contracts: [ContractSecrets], settings: RedactionSettings, operation: Operation?, known: KnownSecrets) {
    self.contracts = contracts
    self.settings = settings
    self.operation = operation
    self.known = known
  }

  /// A secret's placeholder; `nil` if it stays.
  func secret(
    _ value: ArraySlice<UInt8>, _ rule: Rule, _ search: KnownSecrets.Search = .everywhere, isNumber: Bool = false
  ) -> [UInt8]? {
    let isDeclared = [.redactPlace, .redactSecurity, .redactSchema].contains(rule)
    guard settings.applies(rule), !value.isEmpty, value.count >= Self.shortest || isDeclared,
      !Placeholder.isPlaceholder(value), known.made.isEmpty || !known.made.contains(Array(value))
    else { return nil }
    note(rule, value)
    return isNumber ? known.number(for: value) : known.placeholder(for: value, search)
  }

  private func note(_ rule: Rule, _ value: ArraySlice<UInt8>) {
    let place = RedactionReport.RedactedPlace(rule: rule.id, side: side, pointer: JSONPointer(place).description)
    found.append(Found(place: place, offset: offset, start: Array(value.prefix(Self.startLimit)), count: value.count))
  }

  /// Why the value of a field is a secret as a whole; `nil` if it is a text like others.
  func rule(
    forValue value: ArraySlice<UInt8>, of name: String, _ position: SecretNames.Position,
    isMarked: Bool = false
  ) -> Rule? {
    if let isSecret = settings.isSecret(place) { return isSecret ? .redactPlace : nil }
    if let location = position.location {
      if contracts.contains(where: { $0.isScheme(name, location) }) { return .redactSecurity }
      if contracts.contains(where: { $0.isSecret(name, location, value) }) { return .redactSchema }
    } else if isMarked || contracts.contains(where: { $0.isSecret(member: name) }) {
      return .redactSchema
    }
    let rule = position.rule
    guard settings.applies(rule) else { return nil }
    switch strength(of: name, position) {
    case .strong: return isSentence(value, position) ? nil : rule
    case .weak:
      guard SecretNames.isCredential(value, weaklyNamed: name, inURL: position == .query || position == .path) else {
        return nil
      }
      let isDocumented = position == .query && contracts.contains { $0.documentsQuery(name) }
      return !isDocumented || SecretNames.isPIN(name) || Entropy.looksGenerated(value) ? rule : nil
    case .none, .identifier: return nil
    }
  }

  /// Whether a text is kept, echoes of secrets included, because the configuration says so.
  var isKept: Bool { settings.isSecret(place) == false }

  /// The errors of a form are sentences: `{"password": "is too short"}`.
  private func isSentence(_ value: ArraySlice<UInt8>, _ position: SecretNames.Position) -> Bool {
    position == .member && keepsSentences && value.contains(UInt8(ascii: " "))
  }

  var keepsSentences: Bool { (status ?? 0) >= 400 }

  func strength(of name: String, _ position: SecretNames.Position) -> SecretNames.Strength {
    guard position == .member else { return SecretNames.strength(of: name, as: position) }
    if let known = strengths[name] { return known }
    let strength = SecretNames.strength(of: name, as: position)
    if strengths.count < 10_000 { strengths[name] = strength }
    return strength
  }

  /// Whether a schema marks its values as secret. A body may have many values of one schema.
  func isMarked(_ schema: ResolvedSchema) -> Bool {
    if let known = marks[schema.node.id] { return known }
    let isMarked = ContractSecrets.isSecret(schema)
    if marks.count < Self.schemaLimit { marks[schema.node.id] = isMarked }
    return isMarked
  }

  private static let schemaLimit = 10_000

  /// Records a secret that is hidden because it was known before.
  func noteEcho(_ value: ArraySlice<UInt8>) { note(.redactEcho, value) }

  func at<R>(_ place: [String], _ body: () -> R) -> R {
    let outer = self.place
    self.place = place
    defer { self.place = outer }
    return body()
  }

  var texts: TextRedactor { TextRedactor(pass: self) }
  var credentials: CredentialRedactor { CredentialRedactor(pass: self) }
  var urls: URLRedactor { URLRedactor(pass: self) }
  var bodies: BodyRedactor { BodyRedactor(pass: self) }
}

extension SecretNames.Position {
  /// The location of a parameter; `nil` for a member of a body.
  var location: Parameter.Location? {
    switch self {
    case .header: .header
    case .query: .query
    case .path: .path
    case .cookie: .cookie
    case .member: nil
    }
  }

  var rule: Rule {
    switch self {
    case .header: .redactHeader
    case .query, .path: .redactQuery
    case .cookie: .redactCookie
    case .member: .redactMember
    }
  }
}
