import Foundation

/// Reads a client check as a test writes it: `retry-storm=3`, `poll-interval:readChat=5s`, or as JSON:
/// `{"kept-fields": {"fields": ["name"]}}`.
enum CheckArgument {
  /// The check as the admin API takes it; the mock refuses unknown checks and settings with a suggestion.
  static func value(_ text: String) -> JSONValue {
    if text.hasPrefix("{"), let check = try? JSONValue(parsing: text) { return check }
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let subject = (parts.first ?? text).split(separator: ":", maxSplits: 1).map(String.init)
    var settings: [String: JSONValue] = [:]
    if subject.count > 1 {
      settings["operations"] = .array(subject[1].components(separatedBy: ","))
    }
    if parts.count > 1 {
      if let limit = Int(parts[1]) { settings["limit"] = .int(limit) } else { settings["interval"] = .string(parts[1]) }
    }
    let name = subject.first ?? text
    return settings.isEmpty ? .string(name) : .object([name: .object(settings)])
  }
}
