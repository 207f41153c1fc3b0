import UnderstudyVerification

/// An exchange of a journal file: what it shares with others, and its own number and times.
struct JournalRow {
  let number: Int
  /// In microseconds since 1970.
  let startedAt: Int
  let microseconds: Int
  /// What the admin API shows of an exchange with this request and answer.
  let detail: JSON

  /// The same with the number and the times.
  var json: JSON {
    let start = Timestamp.text(microseconds: startedAt)
    let time = JSON.make { $0.append(number: Array("\(Double(microseconds) / 1000)".utf8)) }
    return .object(
      detail.members.map { member in
        switch member.name {
        case "id": (member.name, .integer(number))
        case "time": (member.name, .string(start))
        case "microseconds": (member.name, .integer(microseconds))
        case "exchange": (member.name, Self.entry(member.value, start, time))
        default: (member.name, member.value)
        }
      })
  }

  private static func entry(_ entry: JSON, _ start: String, _ time: JSON) -> JSON {
    .object(
      entry.members.map { member in
        switch member.name {
        case "startedDateTime": (member.name, .string(start))
        case "time": (member.name, time)
        case "timings": (member.name, ["send": 0, "wait": time, "receive": 0])
        default: (member.name, member.value)
        }
      })
  }
}
