import Testing
import UnderstudyMock
import UnderstudyTestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The suite of RFC 6570 read backwards: what a template expands to must be read as the variable it was made from.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct URITemplateSuiteTests {
  static let operators: [String: (style: Parameter.Style, location: Parameter.Location)] = [
    "": (.simple, .path), ".": (.label, .path), ";": (.matrix, .path), "?": (.form, .query), "&": (.form, .query),
  ]

  @Test func `expansions of one variable are read back`() throws {
    let path = Corpora.path("uri-templates+uritemplate-test/spec-examples-by-section.json")
    let suite = try JSONParser.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).root
    var count = 0
    for section in suite.members {
      guard let variables = section.value["variables"], let cases = section.value["testcases"] else { continue }
      for test in cases.elements {
        guard let template = test[0]?.string, let expression = Expression(template),
          let value = variables[expression.name], !value.isNull
        else { continue }
        let expansions = test[1].map { $0.isArray ? Array($0.elements) : [$0] } ?? []
        for expansion in expansions {
          // What expands to nothing is an absent variable.
          guard let wire = expansion.string?.dropFirst(expression.prefix.count), !wire.isEmpty else { continue }
          let type: JSON = value.isArray ? ["type": "array"] : value.isObject ? ["type": "object"] : ["type": "string"]
          let style = Self.operators[expression.operator, default: (.simple, .path)]
          let parameter = Parameter(
            expression.name, in: style.location, style: style.style, explode: expression.explodes, schema: type)
          let result =
            style.location == .query
            ? decoded(parameter, "/?" + wire.dropFirst()) : decoded(parameter, capture: String(wire))
          #expect(result == JSONWriter.text(Self.sorted(value, like: result)), "\(template) as \(wire)")
          count += 1
        }
      }
    }
    #expect(count > 50, "the suite was read")
  }

  /// Expansions give the members of an object in any order.
  static func sorted(_ value: JSON, like text: String) -> JSON {
    guard value.isObject, let other = try? JSONParser.parse(Array(text.utf8)).root, other.isObject, other == value
    else {
      return value
    }
    return other
  }

  /// A template with text and one expression, of those operators that are parameter styles.
  struct Expression {
    let prefix: String
    let `operator`: String
    let name: String
    let explodes: Bool

    init?(_ template: String) {
      guard let open = template.firstIndex(of: "{"), template.last == "}" else { return nil }
      var rest = template[template.index(after: open)...].dropLast()
      prefix = String(template[..<open])
      let mark = rest.first.map(String.init) ?? ""
      `operator` = URITemplateSuiteTests.operators[mark] != nil ? mark : ""
      rest = rest.dropFirst(`operator`.count)
      explodes = rest.last == "*"
      if explodes { rest = rest.dropLast() }
      guard !prefix.contains("?"), rest.allSatisfy({ $0.isLetter || $0 == "_" }) else { return nil }
      name = String(rest)
    }
  }
}
