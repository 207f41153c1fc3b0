/// Reads the fields of a form, urlencoded or multipart, into one object (OAS 3.1, 4.8.14.4 and 4.8.15.1).
///
/// A property with `style`, `explode` or `allowReserved` is written like a query parameter. Any other depends on its content
/// type: a list repeats its key, an object is JSON text, everything else is text.
final class FormFields: Sendable {
  private let schema: ResolvedSchema
  private let fields: [Field]
  private let names: [String]
  /// The fields that other keys than their name may be a part of.
  private let spreadFields: [Field]
  private let specification: Specification
  private let coding: WireCoding

  private static let noun = "form field"

  private struct Field: Sendable {
    let declaration: WireDeclaration
    /// `nil` for a field without a style.
    let style: Parameter.Style?
  }

  /// With `ignoresStyles`, every property depends on its content type.
  init(
    _ media: MediaTypeObject?, schema: ResolvedSchema, specification: Specification, coding: WireCoding,
    ignoresStyles: Bool = false
  ) {
    self.schema = schema
    self.specification = specification
    self.coding = coding
    fields = schema.properties.map { property in
      let encoding = media?.encodings.first { $0.property.utf8Equals(property.name) }
      let isStyled = encoding.map { encoding in
        if ignoresStyles { return false }
        // In 2.0 the field is a parameter with a `collectionFormat`, which has a default.
        if specification == .swagger2 { return true }
        guard let node = encoding.node else { return encoding.contentType == nil }
        return ["style", "explode", "allowReserved"].contains { node[$0] != nil }
      }
      return Field(
        declaration: WireDeclaration(
          FormFields.noun, property.name, explode: isStyled == true ? encoding?.explode ?? true : true, coding: coding,
          specification: specification, schema: schema.schema(of: property)),
        style: isStyled == true ? encoding?.style : nil)
    }
    names = fields.map(\.declaration.name)
    spreadFields = fields.filter { $0.style == .deepObject || $0.style == .form && $0.declaration.explode }
  }

  /// The fields as an object; each problem names its field.
  func decode(_ pairs: WirePairs, _ found: [DecodingProblem] = []) -> Decoded {
    var problems = found
    var isAmbiguous = false
    let likeliest = object(pairs, prefersText: false, &problems, &isAmbiguous)
    if problems.contains(where: { !$0.isRecovered }) { return Decoded(.broken, problems) }
    guard isAmbiguous else { return Decoded(.readings([likeliest]), problems) }
    // At most two readings: the number of all combinations has no bound.
    var known: [DecodingProblem] = []
    let plainest = object(pairs, prefersText: true, &known, &isAmbiguous)
    return Decoded(.readings([likeliest, plainest]), problems)
  }

  /// One reading of all fields: likeliest of each, or plainest.
  private func object(
    _ pairs: WirePairs, prefersText: Bool, _ problems: inout [DecodingProblem], _ isAmbiguous: inout Bool
  ) -> JSON {
    var builder = JSONBuilder()
    // The object, and a name, a list and a value for each item.
    builder.reserve(forText: pairs.length, nodes: 3 * pairs.count + 1)
    builder.begin(.object)
    var taken = 0
    for field in fields {
      do {
        if let count = try write(field, pairs, prefersText: prefersText, to: &builder, &problems, &isAmbiguous) {
          taken += count
        } else if let problem = WrongStyle.explainAbsence(of: field.declaration, in: pairs, isDeclared: isDeclared) {
          problems.append(problem)
        }
      } catch {
        problems.append(error)
      }
    }
    if taken < pairs.count {
      writeOthers(pairs, prefersText: prefersText, to: &builder, &problems, &isAmbiguous)
    }
    if coding == .form {
      BodyDecodingError.unencodedAmpersand(pairs, isDeclared: isDeclared, &problems)
      if pairs.coding != .plain { BodyDecodingError.unencodedText(pairs, &problems) }
    }
    builder.end()
    return builder.finish().root
  }

  /// Writes a field as the next member; returns the number of its pairs, 0 for another style, `nil` if it was not sent.
  private func write(
    _ field: Field, _ pairs: WirePairs, prefersText: Bool, to builder: inout JSONBuilder,
    _ notes: inout [DecodingProblem], _ isAmbiguous: inout Bool
  ) throws(DecodingProblem) -> Int? {
    let declaration = field.declaration
    var firstProblem: DecodingProblem?
    let start = builder.mark
    for position in declaration.forms.indices {
      let form = declaration.forms[prefersText ? declaration.forms.count - 1 - position : position]
      do {
        guard let raw = try split(field, as: form, pairs, &notes) else { continue }
        builder.append(key: declaration.name)
        try TypeCoercion(declaration, pairs.coding).write(
          raw, prefersText: prefersText, to: &builder, &isAmbiguous)
        if declaration.forms.count > 1 { isAmbiguous = true }
        return raw.pairCount
      } catch {
        builder.rewind(to: start)
        firstProblem = firstProblem ?? error
      }
    }
    if let firstProblem { throw firstProblem }
    return nil
  }

  private func split(
    _ field: Field, as form: WireForm, _ pairs: WirePairs, _ notes: inout [DecodingProblem]
  ) throws(DecodingProblem) -> SerializedValue? {
    let declaration = field.declaration
    guard let style = field.style else {
      // Without a style an object is JSON text, which `TypeCoercion` parses.
      let form = form == .object ? .primitive : form
      return try FormStyle.split(pairs, as: form, declaration, claimed: isDeclared, &notes)
    }
    if style == .deepObject { return try DeepObjectStyle.split(pairs, declaration, &notes) }
    return try FormStyle.split(
      pairs, as: form, declaration, delimiter: DelimitedStyle.delimiter(of: style), claimed: isDeclared, &notes)
  }

  /// Undeclared fields have the schema of `additionalProperties`.
  private func writeOthers(
    _ pairs: WirePairs, prefersText: Bool, to builder: inout JSONBuilder, _ problems: inout [DecodingProblem],
    _ isAmbiguous: inout Bool
  ) {
    let others = pairs.filter { !isDeclared($0.name) }
    guard !others.isEmpty else { return }
    // A field that has a problem is not reported again.
    var seen = Set(problems.lazy.filter { !$0.isRecovered }.map { WireName($0.key) })
    for item in others where seen.insert(WireName(item.name)).inserted {
      let declaration = WireDeclaration(
        FormFields.noun, item.name, explode: true, coding: coding, specification: specification, schema: schema.other)
      let values = pairs.values(of: item.name)
      let isList = declaration.forms.first == .array || (values.count > 1 && schema.other.types == .any)
      let raw: SerializedValue = isList ? .repeated(values) : item.rawValue
      let start = builder.mark
      do {
        builder.append(key: item.name)
        try TypeCoercion(declaration, pairs.coding).write(
          raw, prefersText: prefersText, to: &builder, &isAmbiguous)
      } catch {
        builder.rewind(to: start)
        problems.append(error)
      }
    }
  }

  private func isDeclared(_ name: String) -> Bool {
    names.contains { name.utf8Equals($0) }
      || spreadFields.contains { field in
        field.style == .deepObject
          ? DeepObjectStyle.keys(of: name, below: field.declaration.name) != nil
          : field.declaration.schema.property(name) != nil
      }
  }
}
