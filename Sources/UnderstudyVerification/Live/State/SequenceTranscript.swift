/// Writes the commands that repeat a sequence. They read the ids of a new resource from the first response again.
struct SequenceTranscript {
  let redactor: Redactor
  let known: KnownValues

  /// An id of the first response, and the command that reads it into a shell variable.
  private struct Given {
    let variable: String
    let text: String
    let command: String
  }

  /// A shorter id may equal another part of a request.
  private static let shortest = 8
  private static let answer = "created"

  /// The commands, one a line; `last` is the request that got no response, if the sequence ended with one.
  func text(of steps: [SequenceSteps.Step], then last: LiveCall? = nil) -> String {
    let calls = steps.dropFirst().map(\.call) + [last].compactMap(\.self)
    let given = steps.first.map { Self.given(by: $0, to: calls) } ?? []
    let variables = given.map { (spelling: $0.text, name: $0.variable) }
    var lines = steps.enumerated().map { index, step in
      guard index > 0 || given.isEmpty else {
        let command = step.call.wire.curl(redactor).replacing("curl -i", with: "curl -s", maxReplacements: 1)
        return "\(Self.answer)=$(\(command)) # \(step.answer.status)"
      }
      return "\(step.call.wire.curl(redactor, variables: index > 0 ? variables : [])) # \(step.answer.status)"
    }
    if !lines.isEmpty { lines.insert(contentsOf: given.map(\.command), at: 1) }
    if let last { lines.append(last.wire.curl(redactor, variables: variables)) }
    return known.withoutSecrets(lines.joined(separator: "\n"), of: steps.map(\.answer))
  }

  /// The ids of the first response that later paths contain: its members, and the members of its objects.
  private static func given(by creation: SequenceSteps.Step, to calls: [LiveCall]) -> [Given] {
    guard let body = LinkValue(creation.call, creation.answer).body, !creation.call.wire.curl().contains("\n") else {
      return []
    }
    let named = Set(
      calls.flatMap { call in call.wire.target.prefix { $0 != "?" }.split(separator: "/").map(String.init) })
    let content = String(decoding: creation.answer.body.bytes, as: UTF8.self)
    let outer = body.members.flatMap { member in member.value.members.map { (member.name, $0.name, $0.value) } }
    let all = body.members.map { (String?.none, $0.name, $0.value) } + outer.map { (String?.some($0.0), $0.1, $0.2) }
    var found: [Given] = []
    for (object, name, value) in all where ItemIdentifier.isScalar(value) {
      let text = value.plainText
      let variable = "\(object ?? Self.answer)_id"
      guard text.utf8.count >= shortest, named.contains(text), [object ?? "", name].allSatisfy(isWord),
        !found.contains(where: { $0.text.utf8Equals(text) || $0.variable.utf8Equals(variable) }),
        first(name, after: object, in: content)?.utf8Equals(text) == true
      else { continue }
      // Writes each member to a line, and takes the first of the name after the start of the object.
      let range = object.map { #"/^ *"\#($0)": *$/,$"# } ?? ""
      let filter =
        #"tr '{,}' '\n\n\n' | sed -n '\#(range)s/^ *"\#(name)": *"\{0,1\}\([^" ]*\).*/\1/p' | head -n 1"#
      found.append(
        Given(
          variable: variable, text: text,
          command: "\(variable)=$(printf '%s' \"$\(Self.answer)\" | \(filter))"))
    }
    return found
  }

  private static func isWord(_ name: String) -> Bool {
    name.utf8.allSatisfy { 97...122 ~= $0 || 65...90 ~= $0 || 48...57 ~= $0 || $0 == UInt8(ascii: "_") }
  }

  /// The value that the shell command reads from a response.
  private static func first(_ name: String, after object: String?, in answer: String) -> String? {
    var lines = answer.split { "{,}\n".contains($0) }.map { line in
      line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
        String($0.filter { $0 != " " && $0 != "\"" })
      }
    }[...]
    if let object {
      guard let start = lines.firstIndex(where: { $0.count == 2 && $0[0].utf8Equals(object) && $0[1].isEmpty })
      else { return nil }
      lines = lines[start...]
    }
    return lines.first { $0.count == 2 && $0[0].utf8Equals(name) }?[1]
  }
}
