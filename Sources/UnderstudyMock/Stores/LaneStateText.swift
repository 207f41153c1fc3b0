#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a lane as a store holds it.
enum LaneStateText {
  static func write(_ state: LaneState, _ notes: LaneNotes = LaneNotes()) throws(LaneProblem) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(Record(state: state, notes: notes)), as: UTF8.self)
    } catch {
      throw problem("the state of the lane has no JSON: \(error)")
    }
  }

  static func read(_ text: String) throws(LaneProblem) -> (LaneState, LaneNotes) {
    do {
      let record = try JSONDecoder().decode(Record.self, from: Data(text.utf8))
      return (record.state, record.notes)
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

  /// The members of a state, and the notes of replicas as one more member.
  private struct Record: Codable {
    let state: LaneState
    let notes: LaneNotes

    private enum CodingKeys: String, CodingKey { case replicas }

    init(state: LaneState, notes: LaneNotes) { (self.state, self.notes) = (state, notes) }

    init(from decoder: any Decoder) throws {
      state = try LaneState(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      notes = try container.decodeIfPresent(LaneNotes.self, forKey: .replicas) ?? LaneNotes()
    }

    func encode(to encoder: any Encoder) throws {
      try state.encode(to: encoder)
      if notes == LaneNotes() { return }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(notes, forKey: .replicas)
    }
  }
}

/// The notes by which the replicas of a mock share a lane, besides its state.
struct LaneNotes: Codable, Sendable, Hashable {
  /// A replica that is about to change the lane so that more requests have to see its state.
  var raise: DemandRaise?
  /// Whether a replica is about to remove the lane from the store.
  var isClosed: Bool?

  /// Until all replicas know of the change, requests that need no state would be served by the state before it.
  struct DemandRaise: Codable, Sendable, Hashable {
    let replica: String
    /// Identifies the change among the changes of its replica.
    let number: Int
    /// The time after which the replica counts as gone, in microseconds since 1970.
    let end: Int
  }
}
