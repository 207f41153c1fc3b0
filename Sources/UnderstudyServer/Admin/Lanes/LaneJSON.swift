import UnderstudyMock
import UnderstudySockets

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum LaneJSON {
  /// The push messages of the scenario, the oldest first, without secrets.
  static func pushes(_ pushes: [LanePush], _ redactor: inout Redactor) -> Redacted<JSON> {
    let messages = pushes.map { push in
      JSON.object(
        ("name", .string(push.name)), ("recipient", push.recipient.map { .string($0) }),
        ("content", JSON(push.content)), ("schema", push.schema.map { .string($0) }),
        ("request", .integer(push.request)), ("microseconds", .integer(push.time)))
    }
    return redacted(JSONWriter.text(.array(messages)), &redactor)
  }

  /// - Parameter redactor: A scenario may have captured a token, and a target may hold a key.
  static func value(_ state: LaneState, _ redactor: inout Redactor) -> Redacted<JSON> {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text: String
    do {
      text = String(decoding: try encoder.encode(state), as: UTF8.self)
    } catch {
      return redactor.redact(message: "the state cannot be shown: \(error)").map { ["problem": .string($0)] }
    }
    return redacted(text, &redactor)
  }

  private static func redacted(_ text: String, _ redactor: inout Redactor) -> Redacted<JSON> {
    redactor.redact(text: text).map { text in
      do throws(TextProblem) {
        return try JSONParser.parse(Array(text.utf8)).root
      } catch {
        return ["problem": .string("the text without secrets is not JSON: \(error.message)")]
      }
    }
  }
}
