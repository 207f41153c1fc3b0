#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a lane as a store holds it.
enum LaneStateText {
  static func write(_ state: LaneState) throws(LaneProblem) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    } catch {
      throw problem("the state of the lane has no JSON: \(error)")
    }
  }

  static func read(_ text: String) throws(LaneProblem) -> LaneState {
    do {
      return try JSONDecoder().decode(LaneState.self, from: Data(text.utf8))
    } catch DecodingError.dataCorrupted(let context) {
      throw problem(context.debugDescription)
    } catch {
      throw problem("the stored state of the lane cannot be read: \(error)")
    }
  }

  private static func problem(_ message: String) -> LaneProblem {
    LaneProblem(
      .store, message, help: "serve it with the version of understudy that wrote it, or close the lane to begin anew")
  }
}
