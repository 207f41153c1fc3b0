/// Which cells of which contracts have a fixture, a valid one, were served and were asserted.
package struct Coverage: Sendable, Equatable {
  /// In the order of the contracts; one a media type of the request and of the answer.
  package var rows: [Row] = []
  /// What was seen and is documented nowhere; it never counts against the documented.
  package var undocumented: [Undocumented] = []

  package init() {}

  /// One operation x media type of the request x status x media type of the answer.
  package struct Row: Sendable, Equatable {
    package var contract: String
    /// The operation's id.
    package var operation: String
    package var method: String
    /// The path template.
    package var path: String
    /// `nil` where no body is documented.
    package var requestType: String?
    /// `200`, `4XX`, `default`.
    package var status: String
    package var meaning: String?
    /// `nil` where no body is documented.
    package var responseType: String?
    package var isDeprecated: Bool
    package var marks: Marks
    /// How many requests reached the operation with this media type.
    package var tried: Int
    /// How many answers were of this row.
    package var seen: Int
  }

  /// What is known of a row; each mark stands for itself.
  package struct Marks: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A fixture or an example of the contract answers it.
    package static let fixture = Marks(rawValue: 1)
    /// Every fixture and example of it keeps the contract, or breaks just what it says.
    package static let valid = Marks(rawValue: 2)
    /// An answer of it went over the wire.
    package static let served = Marks(rawValue: 4)
    /// An exchange with it was held against the contract, and held.
    package static let asserted = Marks(rawValue: 8)
  }

  /// A status of an operation, or an operation, that no contract has.
  package struct Undocumented: Sendable, Hashable {
    package var contract: String?
    package var method: String
    /// The path template, or the path where none matches.
    package var path: String
    package var status: Int
    package var count: Int
  }
}
