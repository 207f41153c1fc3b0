/// The only place where the source of a reply becomes text: for `Understudy-Reply`, the log, the console, the journal and
/// reports. What depends on a source reads its cases.
extension ReplySource: CustomStringConvertible {
  /// `fixture readChat/200.empty (forced)`
  public var description: String {
    var text = chosen
    if let fallback { text += " (fallback: \(fallback))" }
    if let breakOff { text += ", broken off: \(breakOff)" }
    return text
  }

  private var chosen: String {
    switch rule {
    case .usual: "\(content)"
    case .forcedInLane: "\(content) (forced in the lane)"
    case .replied: isWritten ? "\(content)" : "\(content) (forced)"
    case .forced: "\(content) (forced)"
    case .preferred: "\(content) (preferred)"
    case .when: "\(content) (when)"
    case .refusal(let violation): "\(content) (\(violation.title.lowercased()))"
    case .scenario(let name, let place): "scenario \(name) \(place), \(content)"
    case .resource(let action): content == .items ? "resource \(action)" : "resource \(action), \(content)"
    }
  }

  /// The value of `Understudy-Reply`: field values are ASCII (RFC 9110, 5.5), names of fixtures need not be.
  package var fieldValue: String { PercentEncoding.encode(description, keeping: " /:*{}=,") }
}

extension ReplySource.Content: CustomStringConvertible {
  package var description: String {
    switch self {
    case .fixture(let key): "fixture \(key)"
    case .example(let key): "example \(key)"
    case .sample(let key): "sample \(key)"
    case .contract(let key): "contract \(key)"
    case .plain(let code): "plain \(code)"
    case .items: "items"
    case .upstream: "upstream"
    case .receiver(let text): "receiver of \(text)"
    case .problem(let status, let title, let detail): "problem \(status) \(title)" + (detail.map { ": \($0)" } ?? "")
    case .noUpstream(let status, let message): "problem \(status) upstream: \(message)"
    case .written(let text): text
    case .unread(let detail): "refused: \(detail)"
    case .about(let part): part.rawValue
    case .socket(let number): "socket \(number)"
    }
  }
}

extension ReplySource.Rule.Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .step(let number, let count): "step \(number)/\(count)"
    case .state(let name, let machine): machine.isEmpty ? "state \(name)" : "state \(name) of \(machine)"
    }
  }
}
