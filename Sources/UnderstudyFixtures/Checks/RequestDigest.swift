/// What the client checks remember of a request and its answer: no body and no secret, only their hashes.
package struct RequestDigest: Codable, Sendable, Hashable {
  /// Counts the requests of a lane, from 1.
  package var number: Int
  /// By the clock of the lane, in microseconds since 1970.
  package var time: Int
  /// `nil` for a request that reaches no operation.
  package var operation: String?
  /// The method, cut off at `methodLimit`.
  package var method: String
  /// Path and query, cut off at `targetLimit`.
  package var target: String
  package var status: Int
  /// Whether the client gets no usable answer.
  package var isBroken: Bool
  package var body: UInt64
  /// Of all credentials; `nil` without any.
  package var credential: UInt64?
  package var idempotencyKey: UInt64?
  package var ifMatch: UInt64?
  /// Of the answer.
  package var entityTag: UInt64?
  /// What the answer asks the client to wait, in microseconds.
  package var retryAfter: Int?
  /// The values of the fields that a check compares, by their names.
  package var fields: [String: UInt64] = [:]
  /// The hashes of the values that the answer offers.
  package var offered: [UInt64] = []
  /// When the client has the answer, in microseconds since 1970; `nil` where only the connection shows it.
  package var due: Int?
  /// Whether the answer is under way, and a check depends on its end.
  package var isUnderWay = false

  /// In bytes.
  private static let targetLimit = 300
  /// The maximum length in bytes, above all registered methods.
  private static let methodLimit = 40

  /// Without the query; as bytes, since every check looks at many of them.
  private var path: Substring.UTF8View { target.utf8.prefix { $0 != UInt8(ascii: "?") } }

  func isSamePath(as other: RequestDigest) -> Bool { path.elementsEqual(other.path) }

  /// Whether the answer gives the client a reason to try again.
  var invitesRetry: Bool { isBroken || status >= 500 || status == 429 || status == 408 || status == 401 }

  /// Whether the method changes nothing (RFC 9110, 9.2.1).
  var isSafe: Bool { SafeMethods.contains(method) }

  func isRepeated(by other: RequestDigest) -> Bool {
    method.utf8Equals(other.method) && target.utf8Equals(other.target) && body == other.body
  }

  func isSameTarget(as other: RequestDigest) -> Bool { method.utf8Equals(other.method) && isSamePath(as: other) }

  /// `GET /v1/user -> 401`
  package var text: String { "\(method) \(target) -> \(isBroken ? "no answer" : String(status))" }

  package init(
    number: Int, time: Int, operation: String?, method: String, target: String, status: Int, isBroken: Bool,
    body: UInt64
  ) {
    self.number = number
    self.time = time
    self.operation = operation
    self.method = Self.prefix(method, Self.methodLimit)
    self.target = Self.prefix(target, Self.targetLimit)
    self.status = status
    self.isBroken = isBroken
    self.body = body
  }

  /// The start of a string that the client has chosen.
  static func prefix(_ text: String, _ limit: Int) -> String {
    text.utf8.count > limit ? String(decoding: text.utf8.prefix(limit), as: UTF8.self) : text
  }
}

extension ArraySlice<RequestDigest> {
  /// The last element whose index meets a condition, which reads single fields and so copies no element.
  @inline(__always)
  func last(at isMet: (Int) -> Bool) -> RequestDigest? {
    var index = endIndex
    while index > startIndex {
      index -= 1
      if isMet(index) { return self[index] }
    }
    return nil
  }

  /// As of any collection, without a copy of each element: they are large, and every check looks at many of them.
  @inline(__always)
  func last(where isMet: (RequestDigest) -> Bool) -> RequestDigest? {
    withUnsafeBufferPointer { buffer in
      var index = buffer.count
      while index > 0 {
        index -= 1
        if isMet(buffer[index]) { return buffer[index] }
      }
      return nil
    }
  }
}
