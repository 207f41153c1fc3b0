/// A value that a template makes: `{{now +1h}}`, `{{uuid}}`, `{{random min=1 max=6}}`, `{{jwt exp=+5s}}`.
enum TemplateFunction: Sendable {
  /// The time, moved by microseconds.
  case now(offset: Int, TimeFormat)
  /// A UUID of version 4 (RFC 9562, section 5.4).
  case uuid
  case integer(ClosedRange<Int>)
  /// Letters and digits.
  case text(length: Int)
  /// Hexadecimal digits in lower case.
  case digits(length: Int)
  case choice([String])
  case token(TokenTemplate)

  static let names = ["now", "uuid", "random", "jwt"]

  /// The function of a tag without arguments.
  init?(name: String) {
    switch name {
    case "now": self = .now(offset: 0, .dateTime)
    case "uuid": self = .uuid
    case "random": self = .integer(0...999_999)
    case "jwt": self = .token(TokenTemplate(claims: []))
    default: return nil
    }
  }

  func text(_ environment: inout TemplateEnvironment) -> String {
    switch self {
    case .now(let offset, let format): format.text(environment.now &+ offset)
    case .uuid: Self.uuid(&environment)
    case .integer(let range):
      String(range.lowerBound + environment.generator.number(below: range.upperBound - range.lowerBound + 1))
    case .text(let length):
      String((0..<length).map { _ in Self.characters[environment.generator.number(below: Self.characters.count)] })
    case .digits(let length):
      String((0..<length).map { _ in Self.hexadecimal[environment.generator.number(below: 16)] })
    case .choice(let texts): texts[environment.generator.number(below: texts.count)]
    case .token(let token): token.text(now: environment.now)
    }
  }

  private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

  private static let hexadecimal = Array("0123456789abcdef")

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
