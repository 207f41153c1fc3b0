/// A raw request target, split into path and query, not decoded (RFC 9112, section 3.2).
package struct RequestTarget: Sendable {
  /// Byte range of the path; empty for `*`.
  package var path: Range<Int>
  /// Byte range of the query behind the first `?`; `nil` without one.
  package var query: Range<Int>?

  /// Splits origin form and absolute form; a fragment, which clients must not send, is dropped.
  package init(_ target: UnsafeBufferPointer<UInt8>) {
    let end = target.firstIndex(of: UInt8(ascii: "#")) ?? target.count
    let mark = target[..<end].firstIndex(of: UInt8(ascii: "?"))
    let pathEnd = mark ?? end
    query = mark.map { $0 + 1..<end }
    var start = 0
    if target.first != UInt8(ascii: "/") {
      let scheme = Self.authorityStart(target[..<pathEnd]) ?? pathEnd
      start = target[scheme..<pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? pathEnd
    }
    path = start..<pathEnd
  }

  package init(_ target: String) {
    var target = target
    self = target.withUTF8 { RequestTarget($0) }
  }

  private static func authorityStart(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].starts(with: "//".utf8) else {
      return nil
    }
    return colon + 3
  }
}
