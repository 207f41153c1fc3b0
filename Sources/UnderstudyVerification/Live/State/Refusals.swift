/// The meaning of refusals in one operation, by the contract's `x-understudy`, else by HTTP.
struct Refusals: Sendable {
  let map: ViolationMap

  /// Statuses about the server's data, the caller or the rate: valid requests may get them.
  private static let circumstantial: Set<Int> = [
    401, 402, 403, 404, 407, 408, 409, 410, 412, 421, 423, 424, 425, 428, 429, 451,
  ]

  func isRefusal(_ status: Int, of violation: Violation) -> Bool {
    if case .status(status)? = map[violation] { return true }
    return !(200...299).contains(status)
  }

  /// Whether a status may refuse what is there already.
  static func mayBeConflict(_ status: Int) -> Bool { [400, 409, 412, 422, 500].contains(status) }

  func isIgnored(_ violation: Violation) -> Bool { map[violation] == .ignore }

  func blamesForm(_ status: Int) -> Bool {
    let about = violations(of: status)
    if !about.isDisjoint(with: [.unauthorized, .unknownUser]) { return false }
    if !about.isDisjoint(with: [.invalidRequest, .unsupportedMediaType, .notAcceptable]) { return true }
    return (400...499).contains(status) && !Self.circumstantial.contains(status)
  }

  func isAboutCredentials(_ status: Int) -> Bool {
    status == 401 || status == 403 || map[.unauthorized] == .status(status)
  }

  private func violations(of status: Int) -> Set<Violation> {
    Set(Violation.allCases.filter { map[$0] == .status(status) })
  }
}
