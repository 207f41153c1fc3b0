package import UnderstudyJSON
package import UnderstudySchema
package import UnderstudyText

/// A fault of the sockets of a lane, as one text: `refuse:503*3`, `ack-late:2s`; of one event, `missing:/_id` for `chat`.
package struct SocketFault: Codable, Sendable, Hashable {
  package enum Kind: Codable, Sendable, Hashable {
    /// The handshake has a status, `CONNECT_ERROR`, no polling, or no upgrade.
    case refuse(Int), connectError(String), noPolling, noUpgrade
    /// The answer to the probe of an upgrade is late.
    case lateProbe(Duration)
    /// Pongs of the client are not noticed.
    case noPong
    /// The connection ends without a close frame, a time after it began.
    case lost(Duration)
    case noAck, lateAck(Duration)
    /// Events come twice, in the order of the second and the first, at once after the connection, or not at all.
    case duplicate, reorder, early, missed
    case late(Duration)
    /// Of several sockets that remember the same, only the first gets events.
    case oneOfTwo
    case malformed, missing(String), extraKeys, numeric(String), twoArguments, renamed(String?)
    /// The event has other arguments: an array.
    case replaced(JSONValue)
    /// The event is sent with these arguments as soon as a socket with one of these descriptions connects.
    case sent(JSONValue, on: Set<Int>)
  }

  /// As it was written, without the event and the number of times.
  package let text: String
  /// The only event that it is about; `nil` for all.
  package let event: String?
  package let kind: Kind
  /// How often it still applies; `nil` without a limit.
  package internal(set) var times: Int?

  /// The names with an example of each, and what it does.
  package static let all: [(example: String, summary: String)] = [
    ("refuse:503", "The handshake has this status (503 without it)"),
    ("connect-error:Not authorized", "Clients are refused by `CONNECT_ERROR`, those of a WebSocket by 403"),
    ("no-polling", "The polling transport is refused"),
    ("no-upgrade", "A session of the polling transport gets no WebSocket"),
    ("probe-late:2s", "The probe of an upgrade is answered late"),
    ("no-pong", "Pongs of Engine.IO are not noticed, so that the session times out"),
    ("lost:5s", "The connection ends without a close frame, a time after it began"),
    ("ack-never", "Acknowledgements are not sent"),
    ("ack-late:2s", "Acknowledgements are late"),
    ("duplicate", "Events come twice"),
    ("reorder", "Of two events the second comes first"),
    ("early", "The event comes as soon as the socket is connected, from its file in `_events`"),
    ("missed", "Events do not come"),
    ("late:2s", "Events come late; `delay:2s` too"),
    ("one-of-two", "Of several sockets that remember the same, only the first gets events"),
    ("malformed", "The message ends within the event"),
    ("missing:/_id", "The first argument lacks a member"),
    ("extra-keys", "The first argument has members that nothing declares"),
    ("numeric:/createdAt", "A text of the first argument is a number, a date its milliseconds since 1970"),
    ("two-arguments", "The first argument comes twice in one event"),
    ("renamed:news", "Events have another name, for which the client has no handler"),
  ]

  /// Reads a fault such as `missing:/_id` or `refuse:503*3`; `nil` as the event applies it to all.
  package init(_ text: String, of event: String? = nil) throws(TextProblem) {
    var rest = Substring(text)
    var times: Int?
    if let star = rest.lastIndex(of: "*") {
      guard let number = Int(rest[rest.index(after: star)...]), number > 0 else {
        throw Self.problem("`\(text)` has no valid number of times", text, help: "as in `refuse:503*3`")
      }
      times = number
      rest = rest[..<star]
    }
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let value = parts.count > 1 ? parts[1] : nil
    // A fault of responses has this name.
    let name = parts[0] == "delay" ? "late" : parts[0]
    guard let kind = Self.kind(name, value) else {
      let names = Self.all.map { String($0.example.prefix { $0 != ":" }) }
      guard let known = Self.all.first(where: { $0.example.prefix { $0 != ":" } == name }) else {
        throw Self.problem(
          "`\(text)` is not a fault of sockets", text,
          help: Suggestion.help(for: name, among: names))
      }
      let example = String(known.example.drop { $0 != ":" }.dropFirst())
      if value != nil, Int(example) == nil, Duration(text: example) != nil {
        throw Self.problem(
          "`\(text)` has no valid time: expected 250ms, 1.5s or 2m, at most an hour", text,
          help: "as in `\(known.example)`")
      }
      throw Self.problem("`\(text)` is not complete", text, help: "as in `\(known.example)`")
    }
    if case .early = kind, event == nil {
      throw Self.problem("`early` is about one event", text, help: "as in `sockets/chat=early`")
    }
    (self.text, self.event, self.kind, self.times) = (String(rest), event, kind, times)
  }

  package init(_ kind: Kind, of event: String, shownAs text: String) {
    (self.text, self.event, self.kind, times) = (text, event, kind, nil)
  }

  /// Gives an event other arguments, of a file in `_events`.
  package init(replacing event: String, by arguments: JSON, named file: String) {
    (text, self.event, times) = (file, event, nil)
    kind = .replaced(JSONValue(arguments))
  }

  /// Sends an event with these arguments to each socket that connects.
  ///
  /// - Parameter sockets: The positions of the descriptions of the sockets.
  package init(sending event: String, _ arguments: JSON, on sockets: Set<Int>) {
    (text, self.event, times) = ("sent", event, nil)
    kind = .sent(JSONValue(arguments), on: sockets)
  }

  private static func problem(_ message: String, _ text: String, help: String) -> TextProblem {
    TextProblem(.syntax, message, at: 0..<text.utf8.count, help: help)
  }

  private static func kind(_ name: String, _ value: String?) -> Kind? {
    func time(_ make: (Duration) -> Kind) -> Kind? { value.flatMap { Duration(text: $0) }.map(make) }
    func pointer(_ make: (String) -> Kind) -> Kind? {
      value.flatMap { JSONPointer($0) == nil || $0.isEmpty ? nil : make($0) }
    }
    func plain(_ kind: Kind) -> Kind? { value == nil ? kind : nil }
    switch name {
    case "refuse":
      guard let value else { return .refuse(503) }
      return Int(value).flatMap { 400...599 ~= $0 ? .refuse($0) : nil }
    case "connect-error": return .connectError(value ?? "Not authorized")
    case "no-polling": return plain(.noPolling)
    case "no-upgrade": return plain(.noUpgrade)
    case "probe-late": return time { .lateProbe($0) }
    case "no-pong": return plain(.noPong)
    case "lost": return time { .lost($0) }
    case "ack-never": return plain(.noAck)
    case "ack-late": return time { .lateAck($0) }
    case "duplicate": return plain(.duplicate)
    case "reorder": return plain(.reorder)
    case "early": return plain(.early)
    case "missed": return plain(.missed)
    case "late": return time { .late($0) }
    case "one-of-two": return plain(.oneOfTwo)
    case "malformed": return plain(.malformed)
    case "missing": return pointer { .missing($0) }
    case "extra-keys": return plain(.extraKeys)
    case "numeric": return pointer { .numeric($0) }
    case "two-arguments": return plain(.twoArguments)
    case "renamed": return .renamed(value)
    default: return nil
    }
  }

  /// Whether an earlier fault has no effect besides this one.
  package func replaces(_ earlier: SocketFault) -> Bool {
    earlier.event == event && earlier.text == text || times == nil && earlier.times == nil && earlier.hides(self)
  }

  /// Whether only the first of the two faults applies. Most faults add up, such as two missing members.
  fileprivate func hides(_ later: SocketFault) -> Bool {
    guard event == later.event else { return false }
    return switch (kind, later.kind) {
    case (.refuse, .refuse), (.connectError, .connectError), (.lateProbe, .lateProbe), (.lost, .lost),
      (.lateAck, .lateAck), (.late, .late), (.renamed, .renamed):
      true
    default: false
    }
  }

  /// The beginning of a message that ends within its event.
  package static func cut(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(max(1, bytes.count * 3 / 4))) }

  /// The beginning of a text, as long as that of its bytes, up to the last whole character.
  package static func cut(_ text: String) -> String {
    var bytes = cut(Array(text.utf8))
    while !bytes.isEmpty {
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      bytes.removeLast()
    }
    return ""
  }

  /// The arguments of an event with this fault; `nil` where they stay as they are.
  func changing(_ arguments: [JSONValue]) -> [JSONValue]? {
    if case .replaced(let list) = kind { return list.array }
    guard let first = arguments.first else { return nil }
    let rest = arguments.dropFirst()
    switch kind {
    case .missing(let pointer): return first.changing(at: pointer) { _ in nil }.map { [$0] + rest }
    case .numeric(let pointer): return first.changing(at: pointer) { .some($0.asNumber) }.map { [$0] + rest }
    case .extraKeys:
      guard let members = first.object else { return nil }
      let extra = [JSONValue.Member("__v", 0), JSONValue.Member("understudyExtra", ["nested": [1, 2]])]
      return [.object(members + extra)] + rest
    case .twoArguments: return [first] + arguments
    default: return nil
    }
  }
}

extension [SocketFault] {
  /// Adds a fault in place of earlier faults of the same kind. A fault with a limit precedes an unlimited fault, which would
  /// hide it.
  package mutating func add(_ fault: SocketFault) {
    removeAll(where: fault.replaces)
    let hiding = firstIndex { $0.times == nil && $0.hides(fault) }
    insert(fault, at: hiding ?? endIndex)
  }
}

extension WebSocketMessage {
  /// The beginning of a message that ends within its event; `nil` for a binary message.
  package var malformed: WebSocketMessage? {
    if case .text(let text) = self { .text(SocketFault.cut(text)) } else { nil }
  }
}

extension JSONValue {
  /// The value with another one at a pointer, or without it; `nil` where the pointer leads nowhere.
  fileprivate func changing(at pointer: String, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
    JSONPointer(pointer).flatMap { changing($0.tokens[...], change) }
  }

  private func changing(_ tokens: ArraySlice<String>, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
    guard let name = tokens.first, let object, let old = self[name] else { return nil }
    let new: JSONValue?
    if tokens.count == 1 {
      new = change(old)
    } else {
      guard let inner = old.changing(tokens.dropFirst(), change) else { return nil }
      new = inner
    }
    return .object(object.compactMap { member in member.name == name ? new.map { Member(name, $0) } : member })
  }

  /// A date in milliseconds since 1970, the number that a string has, or its length.
  fileprivate var asNumber: JSONValue {
    guard let string else { return self }
    if let time = Timestamp.microseconds(string.utf8) { return .number(Number(time / 1_000)) }
    return .number(Number(Int(string) ?? string.utf8.count))
  }
}
