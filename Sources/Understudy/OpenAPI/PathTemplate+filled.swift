extension PathTemplate {
  /// The path with its expressions filled in, each by a text that is encoded already; `nil` where one has none.
  func filled(with values: [(name: String, text: String)]) -> String? {
    var text = ""
    for segment in segments {
      text += "/"
      for part in segment {
        switch part {
        case .literal(let bytes):
          text += PercentEncoding.encode(String(decoding: bytes, as: UTF8.self), keeping: "!$&'()*+,;=:@%")
        case .expression(let name):
          guard let value = values.first(where: { $0.name.utf8.elementsEqual(name) }) else { return nil }
          text += value.text
        }
      }
    }
    return text
  }
}
