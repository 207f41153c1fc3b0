/// Redacted secrets of a recording: only their presence can be validated.
enum RedactedValues {
  private static let reason = "a secret was removed from the recording, so only its presence was validated"

  /// The fields with well-formed credentials in place of redacted ones.
  static func standIns(for fields: HTTPFields) -> HTTPFields {
    guard let value = fields.first(named: "authorization"), let blank = value.utf8.firstIndex(of: 0x20),
      Placeholder.isMarker(String(value[value.index(after: blank)...]))
    else { return fields }
    var fields = fields
    let scheme = String(value[..<blank])
    // `redacted:redacted` in base64.
    let isBasic = FieldSyntax.equalIgnoringCase(scheme.utf8, "basic".utf8)
    fields[.authorization] = scheme + (isBasic ? " cmVkYWN0ZWQ6cmVkYWN0ZWQ=" : " redacted")
    return fields
  }

  static func withdraw(fromRequest entry: Exchange, _ view: RequestView, _ result: inout ValidationResult) {
    withdraw(listed: "request ", in: entry, &result)
    withdrawFields(entry.requestFields, &result)
    for (place, pairs) in [("query", view.input.query), ("cookie", view.input.cookies)] {
      for name in pairs.names.unique() where pairs.texts(of: name).contains(where: Placeholder.isMarker) {
        result.withdraw("/\(place)/\(JSONPointer.escape(name))", reason)
      }
    }
    withdrawFromBody(view.body, &result)
  }

  static func withdraw(fromAnswer entry: Exchange, _ result: inout ValidationResult) {
    withdraw(listed: "response ", in: entry, &result)
    guard let response = entry.response else { return }
    withdrawFields(response.fields, &result)
    withdrawFromBody(response.body.bytes, &result)
  }

  /// Discards the findings about values that our own recordings list as replaced: their placeholders look like values.
  private static func withdraw(listed side: String, in entry: Exchange, _ result: inout ValidationResult) {
    let places = entry.redactedPlaces.filter { $0.hasPrefix(side) }.map { String($0.dropFirst(side.count)) }
    guard !places.isEmpty else { return }
    let known = Set(places.map { FieldSyntax.lowercased($0.utf8) })
    for pointer in Set(result.findings.compactMap(\.location?.pointer))
    where known.contains(FieldSyntax.lowercased(pointer.utf8)) {
      result.withdraw(pointer, reason)
    }
  }

  private static func withdrawFields(_ fields: HTTPFields, _ result: inout ValidationResult) {
    for field in fields {
      let value = field.value.utf8.lastIndex(of: 0x20).map { field.value[field.value.index(after: $0)...] }
      guard Placeholder.isMarker(field.value) || value.map({ Placeholder.isMarker(String($0)) }) == true else {
        continue
      }
      // The contract may write the name in another case.
      let pointer = "/header/\(JSONPointer.escape(field.name.rawName))"
      let found = result.findings.compactMap(\.location?.pointer).first {
        FieldSyntax.equalIgnoringCase($0.utf8, pointer.utf8)
      }
      result.withdraw(found ?? pointer, reason)
    }
  }

  /// Discards the findings about redacted values of a JSON body or a form.
  private static func withdrawFromBody(_ body: [UInt8], _ result: inout ValidationResult) {
    let places = result.findings.compactMap(\.location?.pointer).filter { $0.hasPrefix("/body/") }
    guard !places.isEmpty else { return }
    if body.firstRange(of: "[redacted".utf8) != nil, let root = try? JSONParser.parse(body).root {
      for place in places {
        let value = JSONPointer(String(place.dropFirst("/body".count))).flatMap { root[$0] }
        if value?.string.map(Placeholder.isMarker) == true { result.withdraw(place, reason) }
      }
    } else if body.firstRange(of: PercentEncoding.encode("[redacted").utf8) != nil {
      let form = WirePairs(form: body)
      for place in places {
        guard let tokens = JSONPointer(place)?.tokens, tokens.count > 1 else { continue }
        if form.texts(of: tokens[1]).contains(where: Placeholder.isMarker) { result.withdraw(place, reason) }
      }
    }
  }
}
