/// A value that a template makes: `{{now +1h}}`, `{{uuid}}`, `{{random min=1 max=6}}`, `{{jwt exp=+5s}}`.
enum TemplateFunction: Sendable {
  case now(TimeShift, TimeFormat)
  /// A UUID of version 4 (RFC 9562, section 5.4).
  case uuid
  case integer(ClosedRange<Int>)
  case characters(Alphabet, length: Int)
  case choice([String])
  /// A value of a format of JSON Schema.
  case format(String)
  /// A value for the name of a property: `firstName`.
  case property(String)
  case token(TokenTemplate)

  /// The characters of a random text.
  enum Alphabet: String, Sendable {
    case letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    case lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    case digits = "0123456789"
    case hexadecimal = "0123456789abcdef"
  }

  static let names = ["now", "uuid", "random", "jwt"]
  /// The functions of WireMock and Mockoon that these replace.
  static let synonyms = ["guid", "randomValue", "randomInt", "pickRandom", "faker"]

  /// The function of a tag without arguments.
  init?(name: String) {
    switch name {
    case "now": self = .now(.zero, .dateTime)
    case "uuid", "guid": self = .uuid
    case "random": self = .integer(0...999_999)
    case "jwt": self = .token(TokenTemplate(claims: []))
    default: return nil
    }
  }

  /// The text of any function but `jwt`, whose claims may depend on the request.
  func text(_ environment: inout TemplateEnvironment) -> String {
    switch self {
    case .now(let shift, let format): format.text(shift.applied(to: environment.now) ?? environment.now)
    case .uuid: Self.uuid(&environment)
    case .integer(let range):
      String(range.lowerBound + environment.generator.number(below: range.upperBound - range.lowerBound + 1))
    case .characters(let alphabet, let length): Self.text(alphabet, length, &environment)
    case .choice(let texts): texts[environment.generator.number(below: texts.count)]
    case .format(let name): FormatSamples.text(name, environment.generator.number(below: Self.faces)) ?? ""
    case .property(let name): NameHints.text(for: name, environment.generator.number(below: Self.faces))
    case .token(let token): token.text(now: environment.now) { _ in nil }
    }
  }

  /// The number of values of a format or a property.
  private static let faces = 1_000_000

  private static func text(_ alphabet: Alphabet, _ length: Int, _ environment: inout TemplateEnvironment) -> String {
    let characters = Array(alphabet.rawValue)
    return String((0..<length).map { _ in characters[environment.generator.number(below: characters.count)] })
  }

  private static let hexadecimal = Array(Alphabet.hexadecimal.rawValue)

  private static func uuid(_ environment: inout TemplateEnvironment) -> String {
    var text = ""
    for index in 0..<32 {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      let digit = environment.generator.number(below: 16)
      switch index {
      case 12: text.append("4")
      case 16: text.append(hexadecimal[8 + digit % 4])
      default: text.append(hexadecimal[digit])
      }
    }
    return text
  }
}
