import UnderstudyMock

/// The requests that a reply is for, as data.
public struct RequestPredicate: Sendable {
  let matcher: RequestMatcher
  /// Why no request can match.
  let problem: String?

  private init(_ part: RequestPart, _ name: String, _ value: String, problem: String? = nil) {
    matcher = RequestMatcher(part, name, equals: value)
    self.problem = problem
  }

  private init(_ conditions: [RequestMatcher.Condition], problem: String?) {
    matcher = RequestMatcher(conditions: conditions)
    self.problem = problem
  }

  /// A header field has a value.
  public static func header(_ name: String, _ value: String) -> Self { Self(.header, name, value) }
  /// A parameter of the path has a decoded value.
  public static func path(_ name: String, _ value: String) -> Self { Self(.path, name, value) }
  /// A parameter of the query has a decoded value.
  public static func query(_ name: String, _ value: String) -> Self { Self(.query, name, value) }
  /// A form field, or a member of a JSON body, has a value.
  public static func field(_ name: String, _ value: String) -> Self { Self(.body, name, value) }

  /// A JSON body has a value at a path: `.json("$.user.kind", "a")`, `.json("$.items[0].id", "7")`.
  public static func json(_ path: String, _ value: String) -> Self {
    let names = path.dropFirst(2).replacing(/\[([0-9]+)\]/) { ".\($0.1)" }
    guard path == "$" || path.hasPrefix("$."), !names.contains(".."), !names.contains(where: { "[]*".contains($0) })
    else {
      return Self(.body, path, value, problem: "`\(path)` is not a path of members: expected one such as `$.user.kind`")
    }
    let pointer = names.split(separator: ".").map { "/" + JSONPointer.escape(String($0)) }.joined()
    return Self(.body, pointer, value)
  }

  /// Both hold.
  public static func && (first: Self, second: Self) -> Self {
    Self(first.matcher.conditions + second.matcher.conditions, problem: first.problem ?? second.problem)
  }
}
