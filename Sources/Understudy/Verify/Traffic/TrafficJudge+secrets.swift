import HTTPTypes
import SourceText

/// A recording may have its secrets taken out. Then one can see that they were there, and nothing else.
extension TrafficJudge {
  private static let reason = "a value was taken out of the recording as a secret: only its presence counts"

  /// The fields with credentials that have the right shape in the place of those that were taken out.
  static func standIns(for fields: HTTPFields) -> HTTPFields {
    guard let value = fields.first(named: "authorization"), let blank = value.utf8.firstIndex(of: 0x20),
      Redaction.isMarker(String(value[value.index(after: blank)...]))
    else { return fields }
    var fields = fields
    let scheme = String(value[..<blank])
    // `redacted:redacted` in base64.
    let isBasic = FieldSyntax.equalIgnoringCase(scheme.utf8, "basic".utf8)
    fields[.authorization] = scheme + (isBasic ? " cmVkYWN0ZWQ6cmVkYWN0ZWQ=" : " redacted")
    return fields
  }

  /// Takes back what was found out about values of a request that are not there any more.
  func withdrawSecrets(_ entry: HAREntry, _ view: RequestView, _ judgement: inout Judgement) {
    withdrawFields(entry.requestFields, &judgement)
    for name in view.input.query.names where view.input.query.texts(of: name).contains(where: Redaction.isMarker) {
      judgement.withdraw("/query/\(JSONPointer.escape(name))", Self.reason)
    }
    for name in view.input.cookies.names where view.input.cookies.texts(of: name).contains(where: Redaction.isMarker) {
      judgement.withdraw("/cookie/\(JSONPointer.escape(name))", Self.reason)
    }
    withdrawFromBody(view.body, &judgement)
  }

  /// The same for an answer.
  func withdrawSecrets(in body: [UInt8], _ fields: HTTPFields, _ judgement: inout Judgement) {
    withdrawFields(fields, &judgement)
    withdrawFromBody(body, &judgement)
  }

  private func withdrawFields(_ fields: HTTPFields, _ judgement: inout Judgement) {
    for field in fields {
      let value = field.value.utf8.lastIndex(of: 0x20).map { field.value[field.value.index(after: $0)...] }
      guard Redaction.isMarker(field.value) || value.map({ Redaction.isMarker(String($0)) }) == true else { continue }
      // The contract may write the name in another case.
      let places = judgement.findings.compactMap(\.diagnostic.location?.pointer).filter {
        FieldSyntax.equalIgnoringCase($0.utf8, "/header/\(JSONPointer.escape(field.name.rawName))".utf8)
      }
      judgement.withdraw(places.first ?? "/header/\(JSONPointer.escape(field.name.rawName))", Self.reason)
    }
  }

  /// Findings about values of a JSON body or a form that are our marker.
  private func withdrawFromBody(_ body: [UInt8], _ judgement: inout Judgement) {
    let places = judgement.findings.compactMap(\.diagnostic.location?.pointer).filter { $0.hasPrefix("/body/") }
    guard !places.isEmpty else { return }
    if body.firstRange(of: Redaction.marker.utf8) != nil, let root = try? JSONParser.parse(body).root {
      for place in places {
        let value = JSONPointer(String(place.dropFirst("/body".count))).flatMap { root[$0] }
        if value?.isString(Redaction.marker) == true { judgement.withdraw(place, Self.reason) }
      }
    } else if body.firstRange(of: PercentEncoding.encode(Redaction.marker).utf8) != nil {
      let form = WirePairs(form: body)
      for place in places {
        guard let tokens = JSONPointer(place)?.tokens, tokens.count > 1 else { continue }
        if form.texts(of: tokens[1]).contains(Redaction.marker) { judgement.withdraw(place, Self.reason) }
      }
    }
  }
}
