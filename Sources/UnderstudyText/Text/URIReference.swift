/// A URI reference in its five parts (RFC 3986, section 3), which may be a plain file path.
package struct URIReference: Hashable, Sendable, CustomStringConvertible {
  package var scheme: String?
  package var authority: String?
  package var path: String
  package var query: String?
  /// Without its `#`; `""` and `nil` differ.
  package var fragment: String?

  /// Splits a text by appendix B, which accepts every text.
  package init(_ text: String) { self.init(text[...]) }

  /// Splits a part of a text.
  package init(_ text: Substring) {
    var rest = text.utf8
    func cut(at byte: UInt8) -> String? {
      guard let mark = rest.firstIndex(of: byte) else { return nil }
      defer { rest = rest[..<mark] }
      return String(Substring(rest[rest.index(after: mark)...]))
    }
    fragment = cut(at: UInt8(ascii: "#"))
    query = cut(at: UInt8(ascii: "?"))
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), colon != rest.startIndex,
      rest[..<colon].allSatisfy({ Self.isSchemeByte($0) }), !(48...57 ~= rest[rest.startIndex])
    {
      scheme = String(Substring(rest[..<colon])).lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.starts(with: "//".utf8) {
      let start = rest.index(rest.startIndex, offsetBy: 2)
      let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(Substring(rest[start..<end]))
      rest = rest[end...]
    }
    path = String(Substring(rest))
  }

  /// Whether it refers to a document of another host.
  package var isRemote: Bool { scheme == "http" || scheme == "https" || (scheme == nil && authority != nil) }

  package var withoutFragment: URIReference {
    var copy = self
    copy.fragment = nil
    return copy
  }

  /// Resolves the reference against a base (section 5.2.2).
  package func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil || authority != nil {
      target.scheme = scheme ?? base.scheme
      target.path = Self.removeDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.utf8.first == UInt8(ascii: "/") {
      target.path = Self.removeDotSegments(path)
    } else {
      let folder = base.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? ""
      let rooted = base.authority != nil && base.path.isEmpty ? "/" : ""
      target.path = Self.removeDotSegments(rooted + folder + path)
    }
    return target
  }

  /// The text of the reference, composed from its parts (section 5.3).
  package var description: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
      + (fragment.map { "#" + $0 } ?? "")
  }

  /// Removes `.` and `..` (section 5.2.4); a relative path keeps leading `..`, as joined file paths need them.
  package static func removeDotSegments(_ path: String) -> String {
    let isRooted = path.utf8.first == UInt8(ascii: "/")
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (position, segment) in segments.enumerated() {
      let isLast = position == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("") }
      case "..":
        if output.isEmpty || output.last == ".." || (isRooted && output.count == 1) {
          if !isRooted { output.append(segment) }
        } else {
          output.removeLast()
        }
        if isLast, output.last != "..", !output.isEmpty { output.append("") }
      default: output.append(segment)
      }
    }
    return output.joined(separator: "/")
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57, UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
