package final class ParameterDecoder: Sendable {
  package let parameter: Parameter
  let isDeprecated: Bool
  /// The declared style, or the location's default if the declared one is not allowed.
  package let style: Parameter.Style
  package let declaration: WireDeclaration
  private let media: MediaRange?

  package init(_ parameter: Parameter, specification: Specification, schemas: SchemaLibrary) {
    self.parameter = parameter
    isDeprecated = parameter.isDeprecated
    media = parameter.content.flatMap { MediaRange($0.range) }
    let schema = (parameter.content?.schema ?? parameter.schema).map(schemas.resolved) ?? .any
    let isAllowed = parameter.content != nil || Self.isStyleAllowed(of: parameter, schema, specification)
    let style = isAllowed ? parameter.style : parameter.location.defaultStyle
    let explode = isAllowed ? parameter.explode : style.defaultExplode
    self.style = style
    let coding: WireCoding =
      switch (parameter.location, style) {
      case (.query, _), (.querystring, _): .form
      case (.path, _): .percent
      case (.header, _), (.cookie, .cookie): .verbatim
      case (.cookie, _): .percent
      }
    declaration = WireDeclaration(
      parameter.location.word, parameter.name, explode: explode, coding: coding, specification: specification,
      schema: schema)
  }

  package convenience init(_ header: Header, specification: Specification, schemas: SchemaLibrary) {
    self.init(
      Parameter(
        header.name, in: .header, isRequired: header.isRequired, explode: header.explode, schema: header.schema,
        content: header.content),
      specification: specification, schemas: schemas)
  }

  /// Whether a style goes with its location and value (OAS 3.1, "Style Values"); Swagger 2.0 has no such table.
  private static func isStyleAllowed(
    of parameter: Parameter, _ schema: ResolvedSchema, _ specification: Specification
  ) -> Bool {
    let style = parameter.style
    if specification == .swagger2 || parameter.location == .querystring { return true }
    guard style.isAllowed(in: parameter.location, specification) else { return false }
    if style == .deepObject { return schema.forms.contains(.object) }
    return DelimitedStyle.delimiter(of: style) == nil || (!parameter.explode && schema.forms != [.primitive])
  }

  /// The value in a request. `claimed` returns whether another parameter owns a name of the query or the cookies.
  package func decode(_ input: ParameterInput, claimed: (String) -> Bool = { _ in false }) -> Decoded {
    var notes: [DecodingProblem] = []
    if let media { return decode(input, as: media) }
    if parameter.allowEmptyValue || parameter.forbidsEmptyValue, parameter.location == .query,
      let value = input.query.values(of: parameter.name).first, value.raw.isEmpty
    {
      if parameter.allowEmptyValue { return Decoded(.empty) }
      let sentence = "the \(declaration.label) is empty, and `allowEmptyValue` is false"
      return Decoded(.broken, [declaration.problem(.type, sentence)])
    }
    var firstProblem: DecodingProblem?
    var readings: [JSON] = []
    for form in declaration.forms {
      do {
        guard let raw = try split(input, as: form, claimed, &notes) else { continue }
        let found = try TypeCoercion(declaration, coding(of: input)).readings(raw)
        readings = readings.isEmpty ? found : readings + found
      } catch {
        firstProblem = firstProblem ?? error
      }
    }
    if !readings.isEmpty { return Decoded(.readings(readings), notes) }
    if let firstProblem { return Decoded(.broken, notes + [firstProblem]) }
    return absent(input, claimed, notes)
  }

  private func coding(of input: ParameterInput) -> WireCoding {
    declaration.coding == .form ? input.query.coding : declaration.coding
  }

  private func split(
    _ input: ParameterInput, as form: WireForm, _ claimed: (String) -> Bool, _ notes: inout [DecodingProblem]
  ) throws(DecodingProblem) -> SerializedValue? {
    let delimiter = DelimitedStyle.delimiter(of: style)
    switch parameter.location {
    case .query, .querystring:
      if style == .deepObject { return try DeepObjectStyle.split(input.query, declaration, &notes) }
      return try FormStyle.split(input.query, as: form, declaration, delimiter: delimiter, claimed: claimed, &notes)
    case .cookie:
      return try FormStyle.split(input.cookies, as: form, declaration, claimed: claimed, &notes)
    case .path, .header:
      if form == .array, let lines = input.cookieLines(parameter) { return .list(lines.map { .text($0) }) }
      guard let raw = input.single(parameter) else { return nil }
      if let delimiter { return try DelimitedStyle.split(raw, at: delimiter, as: form, declaration) }
      return switch style {
      case .label: try LabelStyle.split(raw, as: form, declaration)
      case .matrix: try MatrixStyle.split(raw, as: form, declaration)
      default: try SimpleStyle.split(raw, as: form, declaration)
      }
    }
  }

  /// Reads a parameter with `content`: decoded as one text, then parsed by its media type.
  private func decode(_ input: ParameterInput, as media: MediaRange) -> Decoded {
    let raw: ArraySlice<UInt8>? =
      switch parameter.location {
      case .querystring: input.rawQuery?[...]
      case .query: input.query.values(of: parameter.name).first?.raw
      case .cookie: input.cookies.values(of: parameter.name).first?.raw
      case .path, .header: input.single(parameter)
      }
    guard let raw else { return absent(input, { _ in false }, []) }
    if parameter.location == .querystring, media.syntax == .form {
      return FormBody(parameter.content, schema: declaration.schema, specification: declaration.specification)
        .decode(Array(raw))
    }
    do {
      let text = try declaration.decode(raw)
      guard media.syntax == .json else {
        let value = TypeCoercion.value(of: text, declaration.schema.types, prefersText: true) ?? .string(text)
        return Decoded(.readings([value]))
      }
      return Decoded(.readings([try declaration.json(text, at: "")]))
    } catch {
      return Decoded(.broken, [error])
    }
  }

  private func absent(_ input: ParameterInput, _ claimed: (String) -> Bool, _ notes: [DecodingProblem]) -> Decoded {
    let isKnown = { (name: String) in claimed(name) || name.utf8Equals(self.parameter.name) }
    let pairs = parameter.location == .cookie ? input.cookies : input.query
    let isPaired = parameter.location == .query || parameter.location == .cookie
    if isPaired, let problem = WrongStyle.explainAbsence(of: declaration, in: pairs, isDeclared: isKnown) {
      return Decoded(.broken, notes + [problem])
    }
    guard parameter.isRequired else { return Decoded(.absent, notes) }
    let hint = isPaired ? WrongStyle.hint(for: parameter.name, among: pairs.names, isDeclared: isKnown) : ""
    let problem = declaration.problem(.missing, "the \(declaration.label) is required and missing\(hint)")
    return Decoded(.absent, notes + [problem])
  }
}

extension Parameter.Location {
  fileprivate var word: String {
    switch self {
    case .path: "path parameter"
    case .query: "query parameter"
    case .header: "header"
    case .cookie: "cookie"
    case .querystring: "query string"
    }
  }
}
