import UnderstudyMock

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a lane as JSON.
enum LaneJSON {
  /// - Parameter redactor: A scenario may have captured a token, and a target may hold a key.
  static func value(_ state: LaneState, _ redactor: inout Redactor) -> Redacted<JSON> {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A state is encodable: `nil` would be a number that is not finite, which no state has.
    let text = (try? encoder.encode(state)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    return redactor.redact(text: text).map { text in (try? JSONParser.parse(Array(text.utf8)).root) ?? .null }
  }
}
