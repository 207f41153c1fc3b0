/// A fault of a response, as `serve --fault` takes it: `.reset`, `"reset:body"`, `"bandwidth:10k"`.
public struct Fault: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// `reset:body`
  public let description: String

  private init(_ text: String) { description = text }

  /// Creates a fault; the mock refuses unknown faults with a suggestion.
  public init(stringLiteral text: String) { self.init(text) }

  /// No answer; the connection stays open.
  public static let hang = Fault("hang")
  /// The connection is reset (TCP RST).
  public static let reset = Fault("reset")
  /// The connection is closed without a byte.
  public static let close = Fault("close")
  /// The connection is closed within the body.
  public static let truncate = Fault("truncate")
  /// Bytes that are not HTTP.
  public static let garbage = Fault("garbage")
  /// The whole response, in small parts.
  public static let drip = Fault("drip")
  /// An HTML page under the media type of the contract.
  public static let html = Fault("html")
  /// Bytes in a string that are not UTF-8.
  public static let invalidUTF8 = Fault("invalid-utf8")

  /// Both: `bandwidth:10k+reset:body`.
  func and(_ other: Fault) -> Fault { Fault("\(description)+\(other.description)") }
}
