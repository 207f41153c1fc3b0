/// What HTTP itself asks of an answer, whatever the contract says, and what no answer should give away.
struct ResponseSemantics {
  let operation: Operation
  let options: ValidationOptions

  func validate(_ answer: ResponseView, _ result: inout ValidationResult) {
    result.checked += 1
    validateStatus(answer, &result)
    validateFields(answer, &result)
    if let trace = Self.trace(in: answer.body) {
      tell(
        .responseStackTrace, "the body shows `\(trace)`, which tells strangers how the server works", "/body",
        &result)
    }
    if let limit = options.timeLimit, let duration = answer.duration, duration > limit {
      tell(.responseTime, "the answer took \(duration), longer than \(limit)", "/time", &result)
    }
  }

  // MARK: - Status

  private func validateStatus(_ answer: ResponseView, _ result: inout ValidationResult) {
    if (500...599).contains(answer.status), options.wants(.responseServerError) {
      tell(.responseServerError, "the server failed with \(answer.status)", "/status", &result)
    }
    guard let misuse = misuse(answer) else { return }
    tell(.responseStatusMisuse, misuse, "/status", &result)
  }

  private func misuse(_ answer: ResponseView) -> String? {
    let (status, method) = (answer.status, answer.method)
    // What the contract has word for word is its doing, not the server's.
    if operation.responses.contains(where: { $0.status == .code(status) }) { return nil }
    switch status {
    case 201 where ["GET", "HEAD", "DELETE"].contains(method): return "201 says that \(method) created something"
    case 304 where method != "GET" && method != "HEAD": return "304 answers GET and HEAD only, not \(method)"
    case 206 where !answer.askedForPart: return "206 answers a request with Range, and this had none"
    case 413 where !answer.hadBody, 415 where !answer.hadBody:
      return "\(status) is about the request's body, and it had none"
    case 401 where operation.security.isEmpty: return "401 asks for credentials, and the contract asks for none"
    case 100...599: return nil
    default: return "\(status) is no status: they go from 100 to 599"
    }
  }

  // MARK: - Fields

  private func validateFields(_ answer: ResponseView, _ result: inout ValidationResult) {
    let fields = answer.fields
    switch answer.status {
    case 405 where fields.lines(named: "allow").isEmpty:
      tell(.responseAllowMissing, "a 405 names the methods that are allowed in `Allow`", "/header/Allow", &result)
    case 401 where fields.lines(named: "www-authenticate").isEmpty:
      tell(
        .responseChallengeMissing, "a 401 says in `WWW-Authenticate` how to authenticate", "/header/WWW-Authenticate",
        &result)
    case 201, 300...303, 307, 308: validateLocation(answer, &result)
    default: break
    }
    if answer.method == "OPTIONS", !fields.lines(named: "allow").isEmpty { validateAllow(fields, &result) }
  }

  private func validateLocation(_ answer: ResponseView, _ result: inout ValidationResult) {
    guard let location = answer.fields.lines(named: "location").first else {
      // 201 may do without, for the request's own URL; 300 leaves the choice to the body.
      guard answer.status > 300 else { return }
      return tell(
        .responseLocation, "a \(answer.status) says in `Location` where to go", "/header/Location", &result)
    }
    guard let problem = Self.problem(ofReference: location) else { return }
    tell(.responseLocation, "`Location` is no URI reference: \(problem)", "/header/Location", &result)
  }

  /// Why a text is no URI reference (RFC 3986, appendix A); `nil` when it is one.
  private static func problem(ofReference text: String) -> String? {
    let bytes = Array(text.utf8)
    if bytes.isEmpty { return "it is empty" }
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, PercentEncoding.hexValue(bytes[index + 1]) != nil,
          PercentEncoding.hexValue(bytes[index + 2]) != nil
        else { return "a `%` stands without two hexadecimal digits" }
      } else if !PercentEncoding.isUnreserved(byte), !":/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        let shown = byte > 32 && byte < 127 ? "`\(UnicodeScalar(byte))`" : "the byte \(byte)"
        return "\(shown) must be percent-encoded"
      }
    }
    return nil
  }

  /// HEAD and OPTIONS come with a server; any other method is the contract's to name.
  private func validateAllow(_ fields: HTTPFields, _ result: inout ValidationResult) {
    let implied: Set<String> = ["HEAD", "OPTIONS"]
    let allowed = Set(
      fields.lines(named: "allow").flatMap { FieldSyntax.split($0.utf8, at: UInt8(ascii: ",")) }
        .filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    ).subtracting(implied)
    let methods = ["get", "put", "post", "delete", "patch", "trace", "query"]
    let documented = Set(methods.filter { operation.pathNode[$0] != nil }.map { $0.uppercased() })
    guard allowed != documented else { return }
    let surplus = allowed.subtracting(documented).sorted().map { "`\($0)` is not documented" }
    let lacking = documented.subtracting(allowed).sorted().map { "`\($0)` is documented and not allowed" }
    tell(
      .responseAllowMismatch, "`Allow` differs from the contract: \((surplus + lacking).joined(separator: ", "))",
      "/header/Allow", &result)
  }

  // MARK: - Leaks

  /// Texts that only a stack trace, a database error or a framework's error page holds.
  private static let traces = [
    "Traceback (most recent call last)", "\tat java.", "\tat org.springframework", "   at System.",
    "goroutine 1 [running]",
    "SQLSTATE[", "You have an error in your SQL syntax", "ORA-00933", "Whitelabel Error Page", "Django Version:",
    "node_modules/express/", "Fatal error: Uncaught",
  ]
  private static let traceLimit = 65_536

  private static let traceBytes = traces.map { Array($0.utf8) }
  /// Which bytes a trace starts with: nearly every place of a body is passed over by one look at this.
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

  private func tell(_ rule: Rule, _ message: String, _ pointer: String, _ result: inout ValidationResult) {
    result.report(rule, message, at: pointer)
  }
}
