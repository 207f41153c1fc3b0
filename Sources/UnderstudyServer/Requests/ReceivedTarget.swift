/// The parts of a request target in origin-form, absolute-form or asterisk-form (RFC 9112, 3.2).
package struct ReceivedTarget {
  package var scheme: String?
  package var authority: String?
  package var path: String

  /// A server accepts the absolute form, although clients send it only to proxies (RFC 9112, 3.2.2).
  package init(_ target: String) {
    path = target
    guard target.utf8.first != UInt8(ascii: "/"), let mark = target.utf8.firstIndex(of: UInt8(ascii: ":")),
      target.utf8[mark...].starts(with: "://".utf8)
    else { return }
    let rest = target.utf8[target.utf8.index(mark, offsetBy: 3)...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    scheme = String(target[..<mark])
    authority = String(target[rest.startIndex..<end])
    path = end == rest.endIndex ? "/" : String(target[end...])
    if path.utf8.first == UInt8(ascii: "?") { path = "/" + path }
  }
}
