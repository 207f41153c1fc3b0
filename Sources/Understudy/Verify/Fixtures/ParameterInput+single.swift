extension ParameterInput {
  /// A request that holds one parameter and nothing else.
  ///
  /// - Parameter isEncoded: Whether the text is what stands on the wire, percent sequences and all.
  convenience init(_ parameter: Parameter, text: String, isEncoded: Bool) {
    let raw = isEncoded ? text : PercentEncoding.encode(text, keeping: "")
    let name = PercentEncoding.encode(parameter.name, keeping: "")
    switch parameter.location {
    case .query: self.init(target: "/?\(name)=\(raw)")
    case .querystring: self.init(target: "/?\(raw)")
    case .path:
      let target = "/" + raw
      self.init(target: target, captures: [(parameter.name, 1..<target.utf8.count)])
    case .header:
      var fields = HTTPFields()
      if let name = HTTPField.Name(parameter.name), HeaderText.isValue(text) {
        fields.append(HTTPField(name: name, value: text))
      }
      self.init(target: "/", fields: fields)
    case .cookie:
      var fields = HTTPFields()
      if HeaderText.isValue(text) { fields[.cookie] = "\(parameter.name)=\(raw)" }
      self.init(target: "/", fields: fields)
    }
  }
}
