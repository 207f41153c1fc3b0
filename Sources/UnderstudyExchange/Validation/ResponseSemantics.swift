/// The checks of an answer that HTTP itself requires, and those for leaks of server internals.
struct ResponseSemantics {
  let operation: Operation
  /// Whether a security scheme of the operation has a challenge; API keys have no registered one.
  let knowsChallenge: Bool
  let options: ValidationOptions

  func validate(_ answer: ResponseView, _ result: inout ValidationResult) {
    result.checked += 1
    validateStatus(answer, &result)
    validateFields(answer, &result)
    if let trace = Self.trace(in: answer.body) {
      result.report(
        .responseStackTrace, "the body shows `\(trace)`, which reveals how the server works", at: "/body")
    }
    if let limit = options.timeLimit, let duration = answer.duration, duration > limit {
      result.report(.responseTime, "the answer took \(duration), longer than \(limit)", at: "/time")
    }
  }

  private func validateStatus(_ answer: ResponseView, _ result: inout ValidationResult) {
    // A documented failure is the contract's choice.
    let isDocumented = operation.responses.contains {
      $0.status == .code(answer.status) || $0.status == .range(answer.status / 100)
    }
    if (500...599).contains(answer.status), !isDocumented, options.wants(.responseServerError) {
      result.report(.responseServerError, "the server failed with \(answer.status)", at: "/status")
    }
    if let misuse = misuse(answer) { result.report(.responseStatusMisuse, misuse, at: "/status") }
  }

  private func misuse(_ answer: ResponseView) -> String? {
    let (status, method) = (answer.status, answer.method)
    // A status that the contract lists by its number is the contract's choice.
    if operation.responses.contains(where: { $0.status == .code(status) }) { return nil }
    switch status {
    case 201 where ["GET", "HEAD", "DELETE"].contains(method): return "201 means that \(method) created something"
    case 304 where method != "GET" && method != "HEAD": return "304 answers GET and HEAD only, not \(method)"
    case 206 where !answer.askedForPart: return "206 answers a request with Range, but the request had none"
    case 413 where !answer.hadBody, 415 where !answer.hadBody:
      return "\(status) is about the request's body, but the request had none"
    case 401 where operation.security.isEmpty: return "401 asks for credentials, but the contract asks for none"
    case 100...599: return nil
    default: return "\(status) is not a valid status: expected 100 to 599"
    }
  }

  private func validateFields(_ answer: ResponseView, _ result: inout ValidationResult) {
    let fields = answer.fields
    switch answer.status {
    case 405 where fields.lines(named: "allow").isEmpty:
      result.report(.responseAllowMissing, "a 405 must list the allowed methods in `Allow`", at: "/header/Allow")
    case 401 where knowsChallenge && fields.lines(named: "www-authenticate").isEmpty:
      result.report(
        .responseChallengeMissing, "a 401 must state in `WWW-Authenticate` how to authenticate",
        at: "/header/WWW-Authenticate")
    case 201, 300...303, 307, 308: validateLocation(answer, &result)
    default: break
    }
    if answer.method == "OPTIONS", !fields.lines(named: "allow").isEmpty { validateAllow(fields, &result) }
  }

  private func validateLocation(_ answer: ResponseView, _ result: inout ValidationResult) {
    guard let location = answer.fields.lines(named: "location").first else {
      // A 201 without it created the resource of the request's own URL; 300 leaves the choice to the body.
      if answer.status > 300 {
        result.report(
          .responseLocation, "a \(answer.status) must state its target in `Location`", at: "/header/Location")
      }
      return
    }
    if let problem = Self.problem(ofReference: location) {
      result.report(
        .responseLocation, "`Location` is not a valid URI reference: \(problem)", at: "/header/Location")
    }
  }

  /// Why a text is not a valid URI reference (RFC 3986, appendix A); `nil` when it is valid.
  private static func problem(ofReference text: String) -> String? {
    let bytes = Array(text.utf8)
    if bytes.isEmpty { return "it is empty" }
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, PercentEncoding.hexValue(bytes[index + 1]) != nil,
          PercentEncoding.hexValue(bytes[index + 2]) != nil
        else { return "expected two hexadecimal digits after `%`" }
      } else if !PercentEncoding.isUnreserved(byte), !":/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        let shown = byte > 32 && byte < 127 ? "`\(UnicodeScalar(byte))`" : "the byte \(byte)"
        return "\(shown) must be percent-encoded"
      }
    }
    return nil
  }

  /// Servers add HEAD and OPTIONS themselves; the contract lists every other method.
  private func validateAllow(_ fields: HTTPFields, _ result: inout ValidationResult) {
    let implied: Set<String> = ["HEAD", "OPTIONS"]
    let allowed = Set(
      fields.lines(named: "allow").flatMap { FieldSyntax.split($0.utf8, at: UInt8(ascii: ",")) }
        .filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    ).subtracting(implied)
    // A fragment in a path, which is not sent, gives one path several items.
    guard !operation.path.utf8.contains(UInt8(ascii: "#")) else { return }
    let methods = ["get", "put", "post", "delete", "patch", "trace", "query"]
    let documented = Set(methods.filter { operation.pathNode[$0] != nil }.map { $0.uppercased() })
    guard allowed != documented else { return }
    let surplus = allowed.subtracting(documented).sorted().map { "`\($0)` is not documented" }
    let lacking = documented.subtracting(allowed).sorted().map { "`\($0)` is documented and not allowed" }
    result.report(
      .responseAllowMismatch, "`Allow` differs from the contract: \((surplus + lacking).joined(separator: ", "))",
      at: "/header/Allow")
  }

  /// Texts that only a stack trace, a database error or a framework's error page holds.
  private static let traces = [
    "Traceback (most recent call last)", "\tat java.", "\tat org.springframework", "   at System.",
    "goroutine 1 [running]", "SQLSTATE[", "You have an error in your SQL syntax", "ORA-00933", "Whitelabel Error Page",
    "Django Version:",
    "node_modules/express/", "Fatal error: Uncaught",
  ]
  private static let traceLimit = 65_536
  private static let traceBytes = traces.map { Array($0.utf8) }
  /// Whether a trace starts with a byte: one look at this table skips nearly every position of a body.
  private static let traceStarts = (0...255).map { byte in traceBytes.contains { $0.first == UInt8(byte) } }

  private static func trace(in body: [UInt8]) -> String? {
    guard !body.isEmpty else { return nil }
    let found = body.withUnsafeBufferPointer { whole -> Int? in
      let bytes = UnsafeBufferPointer(rebasing: whole.prefix(traceLimit))
      return traceStarts.withUnsafeBufferPointer { starts in
        for position in bytes.indices where starts[Int(bytes[position])] {
          let rest = bytes[position...]
          if let index = traceBytes.firstIndex(where: { rest.starts(with: $0) }) { return index }
        }
        return nil
      }
    }
    return found.map { traces[$0].replacing("\t", with: "").replacing("   ", with: "") }
  }
}
