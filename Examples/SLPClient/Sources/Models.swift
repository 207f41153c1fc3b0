/// An account; only what the screens use.
public struct User: Decodable, Hashable, Sendable {
  public let uid: String
  public let nick: String
  public let FCMtoken: String
  public let study: String
  public let comment: [String]
  public let sesac: Int
  public let background: Int
  public let sesacCollection: [Int]
  public let backgroundCollection: [Int]
}

/// The people around a point.
public struct SearchResult: Decodable, Hashable, Sendable {
  public let fromQueueDB: [QueueUser]
  public let fromQueueDBRequested: [QueueUser]
  public let fromRecommend: [String]
}

/// A person on the map.
public struct QueueUser: Decodable, Hashable, Sendable {
  public let uid: String
  public let nick: String
  public let lat: Double
  public let long: Double
  public let studylist: [String]
  public let reviews: [String]
}

/// Waiting or matched.
public struct QueueState: Decodable, Hashable, Sendable {
  public let dodged: Int
  public let matched: Int
  public let reviewed: Int
  /// Absent or null until there is a match.
  public let matchedNick: String?
  public let matchedUid: String?
}

/// A message.
public struct Chat: Codable, Hashable, Sendable {
  public let _id: String
  public let to: String
  public let from: String
  public let chat: String
  /// ISO 8601 in UTC: texts sort like moments.
  public let createdAt: String
}

struct ChatHistory: Decodable {
  let payload: [Chat]
}
