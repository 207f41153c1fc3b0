/// Tags of Mockoon as tags of ours.
enum MockoonTemplate {
  /// Names of values that our random values have under a property's name.
  private static let properties = [
    "firstName": "firstName", "lastName": "lastName", "email": "email", "company": "company", "domain": "domain",
    "tld": "tld", "ipv4": "ipv4", "ipv6": "ipv6", "street": "street", "city": "city", "country": "country",
    "countryCode": "countryCode", "zipcode": "zipCode", "postcode": "postcode", "lat": "latitude", "long": "longitude",
    "phone": "phone", "color": "color", "hexColor": "hexColor",
  ]

  static func translated(_ content: String, _ buckets: [String: JSON]) throws(ForeignTemplate.Problem) -> String {
    guard let expression = TagExpression.read(content), case .call(let words) = expression else {
      throw ForeignTemplate.Problem(tag: "{{\(content)}}", message: "its parentheses do not match")
    }
    // Blocks keep their first word.
    if let first = words.first?.text, ["if", "unless", "each", "with", "repeat", "else"].contains(first),
      words.count > 1
    {
      var parts = [first]
      for word in words.dropFirst() { parts.append(try nested(word, buckets)) }
      return parts.joined(separator: " ")
    }
    return try call(words, buckets)
  }

  private static func nested(
    _ word: TagExpression, _ buckets: [String: JSON]
  ) throws(ForeignTemplate.Problem) -> String {
    guard case .call(let words) = word else {
      if case .word(let text) = word { return text }
      return ""
    }
    let text = try call(words, buckets, isNested: true)
    return text.contains(" ") ? "(\(text))" : text
  }

  private static func call(
    _ words: [TagExpression], _ buckets: [String: JSON], isNested: Bool = false
  ) throws(ForeignTemplate.Problem) -> String {
    guard case .word(let name)? = words.first else { return "" }
    let arguments = Array(words.dropFirst())
    func problem(_ message: String) -> ForeignTemplate.Problem {
      ForeignTemplate.Problem(tag: "{{\(name)}}", message: message)
    }
    if let part = ["body": "body", "queryParam": "query", "urlParam": "path", "header": "header", "cookie": "cookie"][
      name]
    {
      guard let first = arguments.first else { return part == "body" ? "request.body" : name }
      guard let argument = first.text, first.isQuoted else { throw problem("the name is not fixed") }
      if argument.isEmpty { return "request.\(part)" }
      let isPlain = argument.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) }
      let isPath = part == "body" && argument.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
      let path =
        isPlain || isPath || argument.hasPrefix("$.") && part == "body"
        ? "request.\(part).\(argument)" : "request.\(part).[\(argument)]"
      guard arguments.count > 1 else { return path }
      return "default \(path) \(try nested(arguments[1], buckets))"
    }
    switch (name, arguments.count) {
    case ("bodyRaw", 0): return "request.body"
    case ("method", 0): return "request.method"
    case ("int", 2): return "random min=\(arguments[0].text ?? "0") max=\(arguments[1].text ?? "0")"
    case ("boolean", 0): return "random of=true,false"
    case ("objectId", 0): return "random hex=24"
    case ("faker", 1...3):
      let kind = arguments[0].text ?? ""
      if kind == "datatype.boolean" { return "random of=true,false" }
      let options = arguments.dropFirst().compactMap(\.text)
      if ["datatype.number", "random.number", "number.int"].contains(kind), options.count == arguments.count - 1,
        options.allSatisfy({ $0.hasPrefix("min=") || $0.hasPrefix("max=") })
      {
        return (["random"] + (options.contains { $0.hasPrefix("min=") } ? [] : ["min=0"]) + options).joined(
          separator: " ")
      }
    case ("now", 0) where isNested: return "now"
    case ("now", 0): return "now format='%Y-%m-%dT%H:%M:%SZ'"
    case ("now", 1):
      guard let format = arguments[0].text, arguments[0].isQuoted else { break }
      return "now format='\(format.replacing("YYYY", with: "yyyy").replacing("DD", with: "dd"))'"
    case ("oneOf", 1...):
      var list = arguments
      if list.count == 1, case .call(let words) = list[0], words.first?.text == "array" {
        list = Array(words.dropFirst())
      }
      let texts = list.compactMap(\.text)
      guard texts.count == list.count, !texts.contains(where: { $0.contains { ",'\"".contains($0) } }) else { break }
      let joined = texts.joined(separator: ",")
      return joined.contains(" ") ? "random of='\(joined)'" : "random of=\(joined)"
    case (_, 0):
      if let property = properties[name] { return "faker '\(property)'" }
      return name
    default: break
    }
    var parts = [name]
    for argument in arguments { parts.append(try nested(argument, buckets)) }
    return parts.joined(separator: " ")
  }

  /// Adds the comma that `repeat` of Mockoon writes between its items, unless it has `comma=false`.
  static func withCommas(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var commas: [Bool] = []
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      result += rest[..<start.lowerBound]
      var tag = String(rest[start.lowerBound..<end.upperBound])
      rest = rest[end.upperBound...]
      if tag.hasPrefix("{{#repeat") {
        commas.append(!tag.contains("comma=false"))
        tag = tag.replacing(" comma=false", with: "").replacing(" comma=true", with: "")
      } else if tag == "{{/repeat}}", commas.popLast() == true {
        tag = "{{#unless @last}},{{/unless}}" + tag
      }
      result += tag
    }
    return result + rest
  }
}
