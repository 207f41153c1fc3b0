/// A function of values: `{{upper request.body.nick}}`. None reads files, the environment or the network.
enum TemplateOperation: Sendable {
  case upper, lower, capitalize, trim
  case `default`
  case join
  case add, subtract, multiply, divide, modulo
  case round(digits: Int)
  case date(TimeShift, TimeFormat, parse: TimeFormat?)
  case base64(isDecoding: Bool)
  case json
  case size
  case eq, ne, lt, lte, gt, gte
  case contains
  case and, or, not

  /// The arguments of a function.
  struct Signature: Sendable {
    let name: String
    /// The number of its values.
    let count: ClosedRange<Int>
    var options: [String] = []
    let example: String

    init(_ name: String, _ count: ClosedRange<Int>, options: [String] = [], _ example: String) {
      (self.name, self.count, self.options, self.example) = (name, count, options, example)
    }
  }

  /// The maximum number of values of a function that takes several.
  private static let argumentLimit = 100

  static let signatures = [
    Signature("upper", 1...1, "{{upper request.body.nick}}"),
    Signature("lower", 1...1, "{{lower request.body.nick}}"),
    Signature("capitalize", 1...1, "{{capitalize request.body.name}}"),
    Signature("trim", 1...1, "{{trim request.body.name}}"),
    Signature("default", 2...2, "{{default request.query.page 1}}"),
    Signature("join", 2...argumentLimit, "{{join request.body.tags ', '}}"),
    Signature("add", 2...argumentLimit, "{{add request.query.page 1}}"),
    Signature("subtract", 2...argumentLimit, "{{subtract request.query.page 1}}"),
    Signature("multiply", 2...argumentLimit, "{{multiply request.body.price 3}}"),
    Signature("divide", 2...argumentLimit, "{{divide request.body.total 4}}"),
    Signature("modulo", 2...2, "{{modulo request.path.id 2}}"),
    Signature("round", 1...1, options: ["digits"], "{{round request.body.price digits=2}}"),
    Signature("math", 3...3, "{{math request.query.page '+' 1}}"),
    Signature(
      "date", 1...1, options: ["offset", "format", "parse"], "{{date request.body.day offset='1 day' format=date}}"),
    Signature("parseDate", 1...1, options: ["format"], "{{date (parseDate request.body.day format='dd.MM.yyyy')}}"),
    Signature("base64", 1...1, options: ["decode"], "{{base64 request.body.nick}}"),
    Signature("json", 1...1, "{{{json request.body.user}}}"),
    Signature("jsonPath", 2...2, "{{jsonPath request.body '$.items[0].name'}}"),
    Signature("size", 1...1, "{{size request.body.items}}"),
    Signature("eq", 2...2, "{{#if (eq request.query.sort 'name')}}"),
    Signature("ne", 2...2, "{{#if (ne request.query.sort 'name')}}"),
    Signature("lt", 2...2, "{{#if (lt request.query.page 10)}}"),
    Signature("lte", 2...2, "{{#if (lte request.query.page 10)}}"),
    Signature("gt", 2...2, "{{#if (gt request.query.page 10)}}"),
    Signature("gte", 2...2, "{{#if (gte request.query.page 10)}}"),
    Signature("contains", 2...2, "{{#if (contains request.body.tags 'new')}}"),
    Signature("and", 2...argumentLimit, "{{#if (and request.body.a request.body.b)}}"),
    Signature("or", 2...argumentLimit, "{{#if (or request.body.a request.body.b)}}"),
    Signature("not", 1...1, "{{#if (not request.body.a)}}"),
  ]

  /// The names of Handlebars, WireMock and Mockoon for the same functions.
  static let synonyms = [
    "uppercase": "upper", "lowercase": "lower", "length": "size", "neq": "ne", "toJson": "json",
  ]

  /// The functions of `{{#eq a b}}...{{/eq}}`.
  static let conditions = ["eq", "ne", "neq", "lt", "lte", "gt", "gte", "contains", "and", "or", "not"]

  /// The operators of `math`.
  static let operators = ["+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"]

  /// A function without options; `nil` for any other name.
  init?(name: String) {
    switch name {
    case "upper": self = .upper
    case "lower": self = .lower
    case "capitalize": self = .capitalize
    case "trim": self = .trim
    case "default": self = .default
    case "join": self = .join
    case "add": self = .add
    case "subtract": self = .subtract
    case "multiply": self = .multiply
    case "divide": self = .divide
    case "modulo": self = .modulo
    case "json": self = .json
    case "size": self = .size
    case "eq": self = .eq
    case "ne": self = .ne
    case "lt": self = .lt
    case "lte": self = .lte
    case "gt": self = .gt
    case "gte": self = .gte
    case "contains": self = .contains
    case "and": self = .and
    case "or": self = .or
    case "not": self = .not
    default: return nil
    }
  }

  var isArithmetic: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .modulo, .round: true
    default: false
    }
  }

  /// Whether it reads the texts of its values, which costs as much as they are long.
  var readsTexts: Bool {
    switch self {
    case .default, .size, .and, .or, .not: false
    default: true
    }
  }
}
