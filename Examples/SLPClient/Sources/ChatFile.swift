import Foundation

/// The messages of a conversation in a file of JSON.
struct ChatFile: Sendable {
  let url: URL

  /// The messages; none without a file, or where it cannot be read, since the server still has all of them.
  var messages: [Chat] {
    guard let data = try? Data(contentsOf: url) else { return [] }
    return (try? JSONDecoder().decode([Chat].self, from: data)) ?? []
  }

  /// Replaces the file as a whole, so that a crash leaves the old messages or the new ones.
  func write(_ messages: [Chat]) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(messages).write(to: url, options: .atomic)
  }
}
