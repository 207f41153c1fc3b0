import UnderstudyMock

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a lane as JSON.
enum LaneJSON {
  static func value(_ state: LaneState) -> JSON {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(state),
      let document = try? JSONParser.parse(SourceFile(path: "", bytes: Array(data)))
    else { return .null }
    return document.root
  }
}
