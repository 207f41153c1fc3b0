/// Writes exchanges as entries of a HAR 1.2 file, without their secrets.
package struct HARWriter: Sendable {
  private let version: String

  package init(version: String) { self.version = version }

  package var head: [UInt8] { HARFormat.head(version: version) }

  /// The text of one entry, in one line; `nil` for an exchange without a request.
  package func entry(_ exchange: ServedRequest, _ redactor: inout Redactor) -> Redacted<[UInt8]>? {
    HAREntryWriter.entry(exchange, &redactor)?.map { JSONWriter.bytes($0) }
  }
}
