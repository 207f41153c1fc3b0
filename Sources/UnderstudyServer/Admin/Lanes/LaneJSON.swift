import UnderstudyMock

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a lane as JSON.
enum LaneJSON {
  /// - Parameter redactor: A scenario may have captured a token, and a target may hold a key.
  static func value(_ state: LaneState, _ redactor: inout Redactor) -> JSON {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(state),
      let document = try? JSONParser.parse(
        Array(redactor.redact(text: String(decoding: data, as: UTF8.self)).utf8))
    else { return .null }
    return document.root
  }
}
