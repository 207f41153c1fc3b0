/// A value split by its style, not yet decoded and typed (OAS 3.1, appendix C), in slices of the received bytes.
enum SerializedValue {
  case text(ArraySlice<UInt8>)
  case list([SerializedValue])
  case repeated(Slice<WirePairs>)
  case members([(name: String, value: SerializedValue)])
  case value(JSON)

  /// How many pairs it is made of, where each value is one; else 0.
  var pairCount: Int {
    switch self {
    case .text: 1
    case .repeated(let items): items.count
    case .list, .members, .value: 0
    }
  }
}

/// A declaration, for all styles.
package final class WireDeclaration: Sendable {
  let name: String
  /// The noun in messages: `query parameter `c``.
  let label: String
  let explode: Bool
  package let schema: ResolvedSchema
  let forms: [WireForm]
  /// The schema of elements, resolved once.
  let element: ResolvedSchema
  /// The `patternProperties`, whose names a value may have besides its properties.
  private let patterns: [(pattern: Pattern, schema: ResolvedSchema)]
  let coding: WireCoding
  let specification: Specification

  /// - Parameter noun: The kind of declaration, for messages: `query parameter`.
  init(
    _ noun: String, _ name: String, explode: Bool, coding: WireCoding, specification: Specification,
    schema: ResolvedSchema
  ) {
    self.name = name
    label = "\(noun) `\(name)`"
    self.schema = schema
    forms = schema.forms
    element = schema.element
    patterns = zip(schema.patternTexts, schema.patternSchemas).compactMap { text, schema in
      (try? Pattern(ecma: text)).map { ($0, schema) }
    }
    self.explode = explode
    self.coding = coding
    self.specification = specification
  }

  /// The schema of a member of an object that a property or a pattern names; `nil` for any other member.
  package func member(_ name: String) -> ResolvedSchema? {
    schema.property(name) ?? patterned(name)
  }

  /// The schema of a member that a pattern names; `nil` for any other member.
  func patterned(_ name: String) -> ResolvedSchema? {
    patterns.isEmpty ? nil : patterns.first { $0.pattern.matches(name) == .yes }?.schema
  }

  func problem(_ kind: DecodingProblem.Kind, _ sentence: String, isRecovered: Bool = false) -> DecodingProblem {
    DecodingProblem(kind, name, sentence, isRecovered: isRecovered)
  }

  /// The text behind the character that starts values of a style.
  func content(of raw: ArraySlice<UInt8>, style: String, start: Character) throws(DecodingProblem) -> ArraySlice<UInt8>
  {
    guard raw.first == start.asciiValue else {
      throw problem(.style, "the \(label) has style \(style), so it must start with `\(start)`")
    }
    return raw.dropFirst()
  }

  func decode(_ raw: ArraySlice<UInt8>) throws(DecodingProblem) -> String { try coding.decode(raw, key: name) }

  func json(_ text: String, at place: String) throws(DecodingProblem) -> JSON {
    do {
      return try JSONParser.parse(Array(text.utf8)).root.withoutShadowedMembers
    } catch {
      throw problem(.syntax, "the \(label)\(place) is not valid JSON: \(error.message)")
    }
  }

  /// `R,100,G,200` as members.
  func members(alternating parts: [ArraySlice<UInt8>]) throws(DecodingProblem) -> SerializedValue {
    guard parts.count.isMultiple(of: 2) else {
      throw problem(
        .style,
        "the \(label) has an odd number of parts (\(parts.count)); expected alternating names and values: `R,100,G,200`"
      )
    }
    var members: [(name: String, value: SerializedValue)] = []
    for index in stride(from: 0, to: parts.count, by: 2) {
      members.append((try decode(parts[index]), .text(parts[index + 1])))
    }
    return .members(members)
  }

  /// `R=100`, `G=200` as members.
  func members(assigned parts: [ArraySlice<UInt8>]) throws(DecodingProblem) -> SerializedValue {
    var members: [(name: String, value: SerializedValue)] = []
    for part in parts {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
        let shown = String(decoding: part.prefix(60), as: UTF8.self)
        throw problem(.style, "the \(label) has a part without `=`: `\(shown)`; expected `name=value` for each member")
      }
      members.append((try decode(part[..<equals]), .text(part[(equals + 1)...])))
    }
    return .members(members)
  }
}

extension Collection<UInt8> {
  /// The parts between separators; empty parts count.
  func parts(at separator: UInt8) -> [SubSequence] { split(separator: separator, omittingEmptySubsequences: false) }
}

extension ResolvedSchema {
  /// The patterns of `patternProperties`, in the order of `patternSchemas`, which begins with their schemas.
  fileprivate var patternTexts: [String] {
    let patterned = parts.filter { $0[.patternProperties] != nil || $0[.unevaluatedProperties] != nil }
    // With several parts the order of the schemas is mixed.
    return patterned.count == 1 ? patterned[0][.patternProperties]?.members.map(\.name) ?? [] : []
  }
}
