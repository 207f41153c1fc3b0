/// Reads the fields of a form, urlencoded or multipart, into one object (OAS 3.1, 4.8.14.4 and 4.8.15.1).
///
/// A property with `style`, `explode` or `allowReserved` is written like a query parameter. Any other goes by content type:
/// a list repeats its key, an object is JSON text, everything else is text.
struct FormFields: Sendable {
  private let shape: SchemaShape
  private let fields: [Field]
  private let specification: Specification
  private let coding: WireCoding

  private struct Field: Sendable {
    let declaration: WireDeclaration
    /// The style, where the contract gives one.
    let style: Parameter.Style?
  }

  /// With `ignoresStyles`, every property goes by its content type.
  init(
    _ media: MediaTypeObject?, shape: SchemaShape, specification: Specification, coding: WireCoding,
    ignoresStyles: Bool = false
  ) {
    self.shape = shape
    self.specification = specification
    self.coding = coding
    fields = shape.properties.map { property in
      let encoding = media?.encodings.first { $0.property.isSpelled(property.name) }
      let isStyled = encoding.map { encoding in
        if ignoresStyles { return false }
        // There the object is a parameter, and `collectionFormat` its style, written or not.
        if specification == .swagger2 { return true }
        guard let node = encoding.node else { return encoding.contentType == nil }
        return ["style", "explode", "allowReserved"].contains { node[$0] != nil }
      }
      return Field(
        declaration: WireDeclaration(
          name: property.name, label: "form field `\(property.name)`",
          explode: isStyled == true ? encoding?.explode ?? true : true, coding: coding, specification: specification,
          shape: property.shape),
        style: isStyled == true ? encoding?.style : nil)
    }
  }

  /// The object that the fields stand for; problems name the field they are about.
  func decode(_ pairs: WirePairs, _ found: [DecodingProblem] = []) -> Decoded {
    var members = MemberReadings()
    var problems = found
    for field in fields {
      do {
        if let readings = try read(field, pairs, &problems) {
          members.add(field.declaration.name, readings)
        } else if let problem = WrongStyle.explainAbsence(of: field.declaration, in: pairs, isDeclared: isDeclared) {
          problems.append(problem)
        }
      } catch {
        problems.append(error)
      }
    }
    addOthers(pairs, &members, &problems)
    if coding == .form { problems += BodyMistake.unencodedAmpersand(pairs, isDeclared: isDeclared) }
    return problems.contains { !$0.isRecovered }
      ? Decoded(.broken, problems) : Decoded(.readings(members.readings), problems)
  }

  private func read(
    _ field: Field, _ pairs: WirePairs, _ notes: inout [DecodingProblem]
  ) throws(DecodingProblem) -> [JSON]? {
    let declaration = field.declaration
    var readings: [JSON] = []
    var firstProblem: DecodingProblem?
    for form in declaration.forms {
      do {
        guard let raw = try split(field, as: form, pairs, &notes) else { continue }
        readings += try Typing(declaration: declaration).readings(raw)
      } catch {
        firstProblem = firstProblem ?? error
      }
    }
    if readings.isEmpty, let firstProblem { throw firstProblem }
    return readings.isEmpty ? nil : readings
  }

  private func split(
    _ field: Field, as form: SchemaShape.Form, _ pairs: WirePairs, _ notes: inout [DecodingProblem]
  ) throws(DecodingProblem) -> RawValue? {
    let declaration = field.declaration
    guard let style = field.style else {
      // Without a style an object is JSON text: left as one text, which typing parses.
      let form = form == .object ? .primitive : form
      return try FormStyle.split(pairs, as: form, declaration, claimed: isDeclared, &notes)
    }
    if style == .deepObject { return try DeepObjectStyle.split(pairs, declaration, &notes) }
    return try FormStyle.split(
      pairs, as: form, declaration, delimiter: DelimitedStyle.delimiter(of: style), claimed: isDeclared, &notes)
  }

  /// Fields that nobody declared follow `additionalProperties`; the schema judges them like any other member.
  private func addOthers(_ pairs: WirePairs, _ members: inout MemberReadings, _ problems: inout [DecodingProblem]) {
    var seen: Set<[UInt8]> = []
    let isExplained = Set(problems.filter { !$0.isRecovered }.map { Array($0.key.utf8) })
    for item in pairs.items {
      let key = Array(item.name.utf8)
      guard !isDeclared(item.name), !isExplained.contains(key), seen.insert(key).inserted else { continue }
      let declaration = WireDeclaration(
        name: item.name, label: "form field `\(item.name)`", explode: true, coding: coding,
        specification: specification,
        shape: shape.other)
      let values = pairs.values(of: item.name)
      let isList = shape.other.forms.first == .array || (values.count > 1 && shape.other.types == .all)
      let raw: RawValue = isList ? .list(values.map(\.rawValue)) : item.rawValue
      do {
        members.add(item.name, try Typing(declaration: declaration).readings(raw))
      } catch {
        problems.append(error)
      }
    }
  }

  private func isDeclared(_ name: String) -> Bool {
    fields.contains { field in
      let declaration = field.declaration
      if name.isSpelled(declaration.name) { return true }
      switch field.style {
      case .deepObject?: return DeepObjectStyle.keys(of: name, below: declaration.name) != nil
      case .form? where declaration.explode: return declaration.shape.property(name) != nil
      default: return false
      }
    }
  }
}
