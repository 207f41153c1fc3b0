/// Writes `application/x-www-form-urlencoded` text (WHATWG URL, 5.2): repeated keys for arrays, no brackets.
package enum FormText {
  package static func write(_ object: JSON) -> String {
    var pairs: [String] = []
    for member in object.members {
      let values = member.value.isArray ? Array(member.value.elements) : [member.value]
      for value in values {
        let text = value.isObject || value.isArray ? JSONWriter.text(value) : HeaderText.simple(value, explode: false)
        pairs.append("\(encode(member.name))=\(encode(text))")
      }
    }
    return pairs.joined(separator: "&")
  }

  private static func encode(_ text: String) -> String { PercentEncoding.encode(text, keeping: "*") }
}
