/// The name and the expected use of one response, or one event, that a sweep sends.
package struct SweepCase: Sendable, Hashable {
  /// The id of an operation, or `EVENT chat`.
  package let operation: String
  package let kind: Kind
  /// The status, or the pointer of the member that is changed; empty for the response as a whole.
  package let detail: String
  /// The code that a documented status is sent with; `nil` for a hostile response.
  package let status: Int?
  /// Whether the response has no usable part, so that a client which reports success has missed an error.
  package let isUnusable: Bool

  package init(operation: String, kind: Kind, detail: String = "", status: Int? = nil, isUnusable: Bool = false) {
    self.operation = operation
    self.kind = kind
    self.detail = detail
    self.status = status
    self.isUnusable = isUnusable
  }

  /// `status 401`, `status 4XX`, `required-null /payload/0/chat`
  package var name: String { detail.isEmpty ? kind.rawValue : "\(kind.rawValue) \(detail)" }

  /// `readUser required-null /nick`
  package var fullName: String { "\(operation) \(name)" }

  package enum Kind: String, Sendable, CaseIterable {
    case status
    /// A fixture with a name: `fixture 500.jsonObject`.
    case fixture
    /// A value that the `enum` does not list.
    case unknownEnum = "unknown-enum"
    case requiredNull = "required-null"
    case optionalNull = "optional-null"
    case requiredMissing = "required-missing"
    case optionalMissing = "optional-missing"
    /// A member that the schema does not declare.
    case additionalMember = "additional-member"
    case wrongType = "wrong-type"
    /// An integer of 24 digits, which fits no machine type.
    case hugeNumber = "huge-number"
    case emptyList = "empty-list"
    case duplicateItems = "duplicate-items"
    case longList = "long-list"
    case longText = "long-text"
    /// The same moment in another form of RFC 3339.
    case otherDate = "other-date"
    case html
    case truncatedBody = "truncated-body"
    case emptyBody = "empty-body"
    /// A byte order mark before the body (RFC 8259, 8.1, forbids senders to add one).
    case byteOrderMark = "byte-order-mark"
    case utf16 = "utf-16"
    case undocumentedStatus = "undocumented-status"
    case redirect
    case slow
    /// The whole answer, in small pieces.
    case drip
    /// The head, and the body after a pause.
    case stall
    case invalidUTF8 = "invalid-utf8"
    case duplicateHeaders = "duplicate-headers"
    /// Two lengths and two media types that contradict each other (RFC 9112, 6.3).
    case conflictingHeaders = "conflicting-headers"
    /// All events of a stream at once.
    case streamWhole = "stream-whole"
    /// A stream that ends without an event.
    case streamEmpty = "stream-empty"
    /// A stream that ends after half of its events.
    case streamShort = "stream-short"
    /// A stream that stays open after its first event, in silence.
    case streamStall = "stream-stall"
    case streamCut = "stream-cut"
    /// The connection ends between two events.
    case streamLost = "stream-lost"
    /// An error as an event, after the first one.
    case streamError = "stream-error"
    /// An event whose data end within.
    case streamMalformed = "stream-malformed"
    /// The arguments of an event are those of a file in `_events`.
    case eventFixture = "event-fixture"
    case eventDuplicate = "event-duplicate"
    /// Two consecutive events are swapped.
    case eventReorder = "event-reorder"
    case eventMissed = "event-missed"
    /// The event comes a second after it was sent.
    case eventLate = "event-late"
    case eventMissing = "event-missing"
    /// The first argument has members that nothing declares.
    case eventExtraKeys = "event-extra-keys"
    /// A text of the first argument is a number.
    case eventNumeric = "event-numeric"
    case eventTwoArguments = "event-two-arguments"
    case eventMalformed = "event-malformed"
    /// The event has a name for which no client has a handler.
    case eventRenamed = "event-renamed"
    /// The connection ends within the body.
    case cut
    /// A TCP RST, before or within the answer.
    case reset
    /// The connection ends before the body.
    case close
    case garbage
    /// A length that is not that of the body.
    case wrongLength = "wrong-length"
    case malformedChunk = "bad-chunk"
  }
}
