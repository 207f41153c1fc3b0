/// A request that created something in this run.
struct Creation: Sendable {
  let subject: LiveOperation
  let call: LiveCall
  /// What it created as the answer has it, or the id of that.
  let item: JSON
  var answer: JSON?
  /// `Location` of the answer.
  var location: String?

  /// The id by which a parameter or a member names what was created, with the member of the answer that has it.
  func identifier(for name: String) -> (member: String?, value: JSON)? { ItemIdentifier.find(in: item, for: name) }

  /// The options of `curl` and the commands behind it that read an id from the response; `nil` where the request itself
  /// has the id, or where its location in the response is not sure.
  func reading(_ id: JSON, from member: String?) -> (options: String, filter: String)? {
    let text = id.plainText
    guard call.draft.method == "POST", text.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) }),
      !isChosen(text, member)
    else { return nil }
    if let member, let answer, member.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: ".") }),
      Self.first(member, in: answer)?.plainText.utf8Equals(text) == true
    {
      // A line for each member; the first of the name.
      let filter = #"tr '{,}' '\n\n\n' | sed -n 's/^ *"\#(member)": *"\{0,1\}\([^" ]*\).*/\1/p' | head -n 1"#
      return ("-s", filter)
    }
    guard let location, location.hasSuffix("/" + text) || location.hasSuffix("/\(text)/") else { return nil }
    let end = location.hasSuffix("/") ? #"\/$"# : "$"
    return ("-si", #"tr -d '\r' | sed -n 's/^[Ll]ocation:.*\/\([^/]*\)\#(end)/\1/p'"#)
  }

  /// Whether the request says what the id is, so that it creates the same each time.
  private func isChosen(_ id: String, _ member: String?) -> Bool {
    let others = call.draft.arguments.filter { $0.parameter.location != .path }
    if others.contains(where: { $0.value.plainText.utf8Equals(id) }) { return true }
    guard case .value(let body, _)? = call.draft.body else { return false }
    return [body, body["data"] ?? body].contains { part in
      part.members.contains { own in
        own.value.plainText.utf8Equals(id) && member.map { own.name.utf8Equals($0) } ?? true
      }
    }
  }

  private static let depthLimit = 16

  /// The first member of a name in the order of the text.
  private static func first(_ name: String, in value: JSON, _ depth: Int = 0) -> JSON? {
    guard depth < depthLimit else { return nil }
    for member in value.members {
      if member.name.utf8Equals(name) { return member.value }
      if let inner = first(name, in: member.value, depth + 1) { return inner }
    }
    for element in value.elements {
      if let inner = first(name, in: element, depth + 1) { return inner }
    }
    return nil
  }
}

/// A part of a request that names what the run created.
struct CreatedReference {
  enum Place {
    case parameter(Parameter)
    /// The tokens of a pointer into the body.
    case body([String])
  }

  let place: Place
  /// The name of the parameter, or of the member.
  let name: String
  let id: JSON
  let creation: Creation
  /// The member of the answer that has the id.
  let member: String?
}

extension RequestDraft {
  /// The same with another id in a place; `nil` where it cannot be set.
  func setting(_ reference: CreatedReference, to id: JSON) -> RequestDraft? {
    switch reference.place {
    case .parameter(let parameter): return setting(parameter, to: id)
    case .body(let tokens):
      guard case .value(let body, let media)? = self.body, MediaRange(media.range)?.syntax == .json else { return nil }
      return body.setting(tokens[...], to: id).map { with(body: .value($0, media)) }
    }
  }
}
