import Foundation

extension Lane {
  /// Below the root of the admin API.
  var path: String { "lanes/\(name)" }

  /// Sends requests of one call of a test; what goes wrong fails the test at the line of the call.
  ///
  /// - Parameters:
  ///   - call: For messages: `reply(to: "readUser")`.
  ///   - feature: What the mock must have.
  package func ask<Value: Sendable>(
    _ call: String, at sourceLocation: SourceLocation, needing feature: String? = nil,
    _ body: (Lane, AdminClient) async throws -> Value
  ) async throws -> Value {
    try requireOpen(call, at: sourceLocation)
    do {
      if let feature { try await MockHandshake.require(feature, of: mock, for: call) }
      return try await body(self, AdminClient(mock: mock))
    } catch let refusal as AdminClient.Refusal {
      if isLost(refusal) { try requireOpen(call, at: sourceLocation) }
      let error = refusal.error
      throw issues.failure(
        error.kind, isLost(refusal) ? Self.hasVanished(name, call) : error.description, at: sourceLocation)
    } catch let error as UnderstudyError where !error.isReported {
      throw issues.failure(error.kind, error.description, at: sourceLocation)
    }
  }

  /// Reports a failure of this test that ends it; the error to throw.
  package func failure(
    _ kind: UnderstudyError.Kind, _ message: String, at sourceLocation: SourceLocation
  ) -> UnderstudyError {
    issues.failure(kind, message, at: sourceLocation)
  }

  private func isLost(_ refusal: AdminClient.Refusal) -> Bool {
    refusal.status == 404 && refusal.detail.hasPrefix("no lane `\(name)`")
  }

  /// Fails a call that comes after the end of its test.
  func requireOpen(_ call: String, at sourceLocation: SourceLocation) throws {
    guard notes.withLock(\.isClosed) else { return }
    throw issues.failure(
      .refused(status: 404),
      "the lane `\(name)` has closed with its test, so `\(call)` changes nothing\n  help: await the task that calls it",
      at: sourceLocation)
  }

  /// The mock has no such lane, but the test has not ended.
  static func hasVanished(_ name: String, _ call: String) -> String {
    "the mock has no lane `\(name)` any more, so `\(call)` changes nothing\n  help: the mock was started again or its lanes "
      + "were closed during the test: run the tests again while nothing else directs the mock"
  }
}

extension AdminClient.Refusal {
  /// The problem with its advice.
  var error: UnderstudyError {
    // The position is one in a body that the library wrote.
    var text = detail
    if text.hasPrefix("body:"), let end = text.range(of: ": ") { text = String(text[end.upperBound...]) }
    let kind = status == 503 ? UnderstudyError.Kind.full : .refused(status: status)
    guard let start = Self.advice(in: text) else { return UnderstudyError(kind, text) }
    return UnderstudyError(
      kind,
      String(text[..<start]).trimmingCharacters(in: .whitespaces), help: String(text[start...].dropFirst().dropLast()))
  }

  /// The index of the parenthesis that opens the last parenthesized part of a string.
  private static func advice(in text: String) -> String.Index? {
    guard text.hasSuffix(")") else { return nil }
    var depth = 0
    for index in text.indices.reversed() {
      if text[index] == ")" { depth += 1 }
      if text[index] == "(" { depth -= 1 }
      if depth == 0 { return index == text.startIndex ? nil : index }
    }
    return nil
  }
}
