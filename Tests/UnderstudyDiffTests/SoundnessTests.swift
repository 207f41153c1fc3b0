import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// Random pairs of schemas: no value contradicts a pair without differences, and each proof holds.
@Suite struct SoundnessTests {
  private static var count: Int {
    #if DEBUG
    3_000
    #else
    10_000
    #endif
  }

  /// Writes schemas of moderate size, and changes of them.
  private struct SchemaWriter {
    var random: RepeatableGenerator

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

    mutating func schema(_ depth: Int) -> JSON {
      let simple = ["integer", "number", "string", "enum", "boolean"]
      switch pick(depth > 0 ? simple + ["object", "object", "array", "anyOf", "oneOf", "allOf", "nullable"] : simple) {
      case "integer":
        return .object(("type", "integer"), pair("minimum", 4), pair("maximum", 4), pair("multipleOf", 3, from: 1))
      case "number": return .object(("type", "number"), pair("minimum", 3), pair("exclusiveMaximum", 3))
      case "string":
        let pattern: JSON? = pick([nil, nil, "^[a-c]*$", "^[a-d]+$", "^a", "b$", "^(ab)*$"])
        return .object(("type", "string"), pair("minLength", 3), pair("maxLength", 4), ("pattern", pattern))
      case "enum":
        let values: [JSON] = ["a", "b", 1, 2, .null, true]
        return .object(("enum", .array(values.filter { _ in pick([true, false]) } + ["a"])))
      case "boolean": return .object(("type", "boolean"))
      case "object":
        let names = ["a", "b", "c"].filter { _ in pick([true, true, false]) }
        let properties = names.map { ($0, schema(depth - 1)) }
        let required = ["a", "b", "c"].filter { _ in pick([true, false, false]) }.map { JSON.string($0) }
        let additional: JSON? = pick([nil, nil, false, .object(("type", "integer"))])
        let type: JSON? = pick(["object", nil])
        return .object(
          ("type", type), ("properties", .object(properties)),
          ("required", .array(required)),
          ("additionalProperties", additional), pair("minProperties", 2), pair("maxProperties", 4))
      case "array":
        return .object(
          ("type", "array"), ("items", schema(depth - 1)), pair("minItems", 2), pair("maxItems", 3),
          ("uniqueItems", pick([nil, nil, true])))
      case "nullable": return .object(("anyOf", .array([schema(depth - 1), .object(("type", "null"))])))
      case let keyword: return .object((keyword, .array([schema(depth - 1), schema(depth - 1)])))
      }
    }

    private mutating func pair(_ keyword: String, _ most: Int, from least: Int = 0) -> (String, JSON?) {
      (keyword, pick([true, false, false]) ? .integer(Int.random(in: least...most, using: &random)) : nil)
    }

    /// The schema with one part changed.
    mutating func changed(_ value: JSON) -> JSON {
      if value.isObject, value.count > 0, pick([true, true, false]) {
        var members = value.members.map { ($0.name, $0.value) }
        let index = Int.random(in: 0..<members.count, using: &random)
        switch pick([0, 1, 1, 1]) {
        case 0: members.remove(at: index)
        default: members[index].1 = changed(members[index].1)
        }
        return .object(members)
      }
      if value.isArray, value.count > 0, value.elements.allSatisfy(\.isObject) {
        var elements = Array(value.elements)
        let index = Int.random(in: 0..<elements.count, using: &random)
        elements[index] = changed(elements[index])
        return .array(elements)
      }
      if let number = value.int { return .integer(max(1, number + pick([-1, 1, 2]))) }
      return value.isObject ? schema(1) : value
    }
  }

  @Test func `no value contradicts a pair without differences`() throws {
    var writer = SchemaWriter(random: RepeatableGenerator(state: 62))
    var undecided = 0
    for number in 0..<Self.count {
      let first = writer.schema(2)
      let second = number.isMultiple(of: 5) ? writer.schema(2) : writer.changed(first)
      let (a, b) = (SchemaLibrary.of(.openAPI31), SchemaLibrary.of(.openAPI31))
      let comparison = SchemaComparison(SchemaSide(a, .either), SchemaSide(b, .either))
      let differences = comparison.differences([first], [second]).filter(\.isFailure)
      let (given, accepted) = (a.schema(at: first), b.schema(at: second))
      let words = "\(JSONWriter.text(first)) within \(JSONWriter.text(second))"
      for case .broken(let value) in differences.map(\.verdict) {
        #expect(given.accepts(value) && !accepted.accepts(value), "\(words): \(JSONWriter.text(value))")
      }
      undecided += differences.isEmpty || differences.contains { !$0.isUndecided } ? 0 : 1
      guard differences.isEmpty else { continue }
      for value in Self.values(a, first) + Self.values(b, second) where given.accepts(value) && !accepted.accepts(value)
      {
        Issue.record("\(words) has no difference: \(JSONWriter.text(value))")
        break
      }
    }
    // Overlapping alternatives of `oneOf` are undecided.
    #expect(undecided * 20 < Self.count, "\(undecided) undecided")
  }

  private static func values(_ library: SchemaLibrary, _ schema: JSON) -> [JSON] {
    let plain = SampleGenerator(schemas: library, seed: "0")
    let varied = (1...20).compactMap {
      SampleGenerator(schemas: library, seed: "\($0)").sample(of: schema, direction: .either)
    }
    return varied + plain.boundaries(of: schema, direction: .either).map(\.value)
      + plain.invalidSamples(of: schema, direction: .either, limit: 100).map(\.value)
  }
}
