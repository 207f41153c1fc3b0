/// The `Link` of a page: the first, the previous, the next and the last page (RFC 8288).
enum PageLinks {
  /// - Parameters:
  ///   - parameter: The name of the parameter with the number of the page.
  ///   - first: The number of the first page.
  static func text(_ target: String, parameter: String, page: Int, first: Int, size: Int, total: Int) -> String? {
    guard size > 0 else { return nil }
    let last = first + max(0, (total - 1) / size)
    var links: [(relation: String, page: Int)] = [("first", first)]
    if page > first { links.append(("prev", min(page - 1, last))) }
    if page < last { links.append(("next", max(page, first - 1) + 1)) }
    links.append(("last", last))
    return links.map { "<\(replacing(parameter, in: target, with: $0.page))>; rel=\"\($0.relation)\"" }
      .joined(separator: ", ")
  }

  private static func replacing(_ parameter: String, in target: String, with page: Int) -> String {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let pairs = parts.count > 1 ? parts[1].split(separator: "&") : []
    let others = pairs.filter { pair in
      let name = String(pair.prefix { $0 != "=" })
      return !(PercentEncoding.decode(name) ?? name).utf8Equals(parameter)
    }
    // Angle brackets would end the reference.
    let query = (others + ["\(parameter)=\(page)"]).joined(separator: "&").replacing("<", with: "%3C")
      .replacing(">", with: "%3E")
    return "\(parts[0])?\(query)"
  }
}
