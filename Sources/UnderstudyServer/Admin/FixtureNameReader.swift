import UnderstudyMock

/// Reads `{"name": "empty"}`; an empty body and an empty object have no name.
enum FixtureNameReader {
  static func read(_ body: [UInt8]) throws(LaneProblem) -> String? {
    guard !body.isEmpty else { return nil }
    let example = "as in {\"name\": \"empty\"}"
    let root = try LaneProblem.json(body, help: example)
    guard root.isObject, root.members.allSatisfy({ $0.name == "name" }) else {
      throw LaneProblem(.invalid, "expected an object with nothing but `name`", help: example)
    }
    guard let name = root["name"], !name.isNull else { return nil }
    guard let text = name.string, !text.isEmpty else {
      throw LaneProblem(.invalid, "expected text for `name`, found \(name.kindName)", help: example)
    }
    return text
  }
}
