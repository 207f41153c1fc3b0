/// The base paths of servers (OAS 3.1, 4.8.5).
package enum BasePaths {
  /// URLs of one server, by the values of its variables; more are dropped.
  package static let expansionLimit = 100

  /// The base paths of some servers, in order, each once; `""` is the root, which relative URLs are resolved against.
  package static func from(_ servers: [Server]) -> [String] {
    var seen: Set<[UInt8]> = []
    return servers.flatMap(from).filter { seen.insert(Array($0.utf8)).inserted }
  }

  package static func from(_ server: Server) -> [String] {
    var seen: Set<[UInt8]> = []
    return expand(withoutOrigin(server.url), server.variables).compactMap { url in
      let rooted = URIReference(url).path
      var path = URIReference.removeDotSegments(rooted.utf8.first == UInt8(ascii: "/") ? rooted : "/" + rooted)
      while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
      return seen.insert(Array(path.utf8)).inserted ? path : nil
    }
  }

  /// Removes scheme, host and port, whose variables do not change the path.
  private static func withoutOrigin(_ url: String) -> String {
    let bytes = Array(url.utf8)
    var mark: Int?
    for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: "/") && bytes[index + 1] == bytes[index] {
      // A scheme ends with a colon; without one the URL starts here.
      if index == 0 || bytes[index - 1] == UInt8(ascii: ":") { mark = index + 2 }
      break
    }
    guard let mark else { return url }
    return String(decoding: bytes[mark...].drop { $0 != UInt8(ascii: "/") }, as: UTF8.self)
  }

  private static func expand(_ url: String, _ variables: [Server.Variable]) -> [String] {
    var urls = [url]
    for variable in variables {
      let slot = Array("{\(variable.name)}".utf8)
      guard urls.contains(where: { !$0.utf8.ranges(of: slot).isEmpty }) else { continue }
      var values = [variable.defaultValue]
      for value in variable.values where !value.utf8.elementsEqual(variable.defaultValue.utf8) { values.append(value) }
      urls = urls.flatMap { url in values.map { replace(slot, in: url, by: $0) } }
      if urls.count > expansionLimit { urls.removeLast(urls.count - expansionLimit) }
    }
    return urls
  }

  private static func replace(_ slot: [UInt8], in url: String, by value: String) -> String {
    var bytes = Array(url.utf8)
    for range in bytes.ranges(of: slot).reversed() { bytes.replaceSubrange(range, with: value.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// In normal form, with a leading and without a trailing slash; empty for the root.
  package static func normalised(_ path: String) -> [UInt8] {
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
    return segments.flatMap { [UInt8(ascii: "/")] + PathEncoding.normalised($0) }
  }

  /// Where the rest of `path` starts after a base path in normal form; `nil` unless `path` is below it.
  package static func end(of base: [UInt8], in path: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = 0
    var expected = 0
    while expected < base.count {
      guard position < path.count else { return nil }
      let byte = path[position]
      if byte == base[expected], byte != UInt8(ascii: "%") {
        position += 1
        expected += 1
        continue
      }
      // Only an encoded or unusual byte can still be equal.
      guard !PathEncoding.isPlain(byte), byte != UInt8(ascii: "/") else { return nil }
      let length = byte == UInt8(ascii: "%") ? min(3, path.count - position) : 1
      let normal = PathEncoding.normalised(UnsafeBufferPointer(rebasing: path[position..<position + length]))
      guard base[expected...].starts(with: normal) else { return nil }
      position += length
      expected += normal.count
    }
    return position < path.count && path[position] == UInt8(ascii: "/") ? position : nil
  }
}
