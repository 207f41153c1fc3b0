/// The items that a request for a list asks for: filters and bounds of members, order, and a page.
struct ResourceQuery {
  let call: ResourceCall

  private static let limits = ["limit", "size", "pagesize", "perpage", "maxresults", "top", "take", "first"]
  private static let offsets = ["offset", "skip", "start", "startindex"]
  private static let pages = ["page", "pagenumber", "pageindex"]
  private static let orders = ["sort", "sortby", "orderby", "order"]
  private static let searches = ["q", "query", "search", "term", "keyword"]

  /// The items of a page.
  struct Page {
    var items: [ResourceItem]
    /// The number of all items that meet the filters.
    var total: Int
    /// The number of items that only defaults of parameters filter out, and the names of those parameters.
    var hidden: (count: Int, parameters: [String])
  }

  /// The items of the page that the request asks for.
  func page(of items: [ResourceItem]) -> Page {
    let parameters = call.operation.operation.parameters.filter { $0.location == .query }
    let described = items.filter { meetsDescription($0.value) }
    let filters = parameters.filter { !Self.isAboutPages(ResourceIdentity.normal($0.name)) && !texts(of: $0).isEmpty }
    var found = filtered(described, by: filters)
    let hidden = hidden(in: described, by: filters, leaving: found.count)
    if let order = first(Self.orders, parameters)?.text { sort(&found, by: order) }
    let total = found.count
    let limit = first(Self.limits, parameters)?.number
    var offset = first(Self.offsets, parameters)?.number ?? 0
    if let page = first(Self.pages, parameters), let number = page.number, let limit {
      let first = page.schema.parts.compactMap { $0[.minimum]?.int }.max() ?? 1
      let (index, isBelow) = number.subtractingReportingOverflow(first)
      let (start, isBeyond) = (isBelow ? 0 : max(0, index)).multipliedReportingOverflow(by: limit)
      offset = isBeyond ? .max : start
    }
    return Page(
      items: Array(found.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max))), total: total, hidden: hidden)
  }

  /// The items that only filters with defaults leave out, and the names of those parameters.
  private func hidden(
    in items: [ResourceItem], by filters: [Parameter], leaving count: Int
  ) -> (count: Int, parameters: [String]) {
    let sent = filters.filter { !call.request.values(.query, $0.name).isEmpty }
    guard sent.count < filters.count else { return (0, []) }
    let wanted = filtered(items, by: sent)
    guard wanted.count > count else { return (0, []) }
    let hiding = filters.filter { filter in
      !sent.contains { $0.name.utf8Equals(filter.name) } && filtered(wanted, by: sent + [filter]).count < wanted.count
    }
    return (wanted.count - count, hiding.map(\.name))
  }

  // MARK: - Filters

  private func filtered(_ items: [ResourceItem], by parameters: [Parameter]) -> [ResourceItem] {
    if parameters.isEmpty { return items }
    let ranges = ranges(parameters)
    return items.filter { item in
      parameters.allSatisfy { meets(item.value, $0) } && ranges.allSatisfy { $0.holds(for: item.value) }
    }
  }

  /// Whether an item meets one of the alternatives and all cursors of a description.
  private func meetsDescription(_ value: JSON) -> Bool {
    func text(_ source: ResourceSource) -> String? {
      source.text(in: call.request, user: call.collection.user, now: call.now)
    }
    let alternatives = call.action.alternatives
    let isWanted =
      alternatives.isEmpty
      || alternatives.contains { conditions in
        conditions.allSatisfy { condition in
          text(condition.source).map { value[condition.member]?.plainText.utf8Equals($0) == true } ?? false
        }
      }
    return isWanted
      && call.action.cursors.allSatisfy { cursor in
        text(cursor.source).map { Self.isGreater(value[cursor.member]?.plainText ?? "", than: $0) } ?? true
      }
  }

  /// Numbers by value, dates with a time by the moment that they mean, all else as text.
  private static func isGreater(_ a: String, than b: String) -> Bool {
    if let a = Double(a), let b = Double(b) { return a > b }
    if let a = Timestamp.microseconds(a.utf8), let b = Timestamp.microseconds(b.utf8) { return a > b }
    return a.utf8.lexicographicallyPrecedes(b.utf8) ? false : a != b
  }

  /// Whether an item meets the filter of a parameter: one that has the name of a member, or a search for text.
  private func meets(_ value: JSON, _ parameter: Parameter) -> Bool {
    let name = ResourceIdentity.normal(parameter.name)
    if Self.isAboutPages(name) { return true }
    let member = member(name)
    let wanted = texts(of: parameter)
    guard !wanted.isEmpty else { return true }
    guard let member else {
      guard Self.searches.contains(name), let text = wanted.first?.lowercased(), !text.isEmpty else { return true }
      return value.members.contains { $0.value.string?.lowercased().contains(text) == true }
    }
    guard let found = value[member.name] else { return false }
    if found.isArray {
      return wanted.allSatisfy { text in found.elements.contains { $0.plainText.utf8Equals(text) } }
    }
    return wanted.contains { found.plainText.utf8Equals($0) }
  }

  private static func isAboutPages(_ name: String) -> Bool {
    (limits + offsets + pages + orders).contains(name)
  }

  /// The member with a name, which is written as `ResourceIdentity.normal` does.
  private func member(_ name: String) -> ResolvedSchema.Property? {
    call.collection.shape.properties.first { ResourceIdentity.normal($0.name) == name }
  }

  /// The bounds that parameters without a member of their name ask for.
  private func ranges(_ parameters: [Parameter]) -> [ResourceRange] {
    let bounds: [(name: String, text: String)] = parameters.compactMap { parameter in
      let name = ResourceIdentity.normal(parameter.name)
      guard !Self.isAboutPages(name), member(name) == nil, let text = texts(of: parameter).first, !text.isEmpty else {
        return nil
      }
      return (parameter.name, text)
    }
    return bounds.isEmpty ? [] : ResourceRange.all(bounds, of: call.collection)
  }

  /// The values of a parameter: of the request, else its default.
  private func texts(of parameter: Parameter) -> [String] {
    let sent = call.request.values(.query, parameter.name)
    guard !sent.isEmpty else {
      return schema(of: parameter).parts.lazy.compactMap { $0.schema["default"] }.first?.requestTexts ?? []
    }
    guard !parameter.explode, parameter.style == .form else { return sent }
    return sent.flatMap { $0.split(separator: ",").map(String.init) }
  }

  private func schema(of parameter: Parameter) -> ResolvedSchema {
    parameter.schema.map(call.operation.schemas.resolved) ?? .any
  }

  // MARK: - Page and order

  private func first(
    _ names: [String], _ parameters: [Parameter]
  ) -> (number: Int?, text: String, schema: ResolvedSchema)? {
    for parameter in parameters where names.contains(ResourceIdentity.normal(parameter.name)) {
      if let text = texts(of: parameter).first { return (Int(text), text, schema(of: parameter)) }
    }
    return nil
  }

  /// By a member, downwards with a `-` before it or with `desc`.
  private func sort(_ items: inout [ResourceItem], by text: String) {
    let words = text.split { ": ,".contains($0) }
    guard let first = words.first else { return }
    let name = ResourceIdentity.normal(String(first.drop { "-+".contains($0) }))
    guard let member = call.collection.shape.properties.first(where: { ResourceIdentity.normal($0.name) == name })
    else { return }
    let isDown = first.hasPrefix("-") || words.dropFirst().first?.lowercased() == "desc"
    let keyed = items.enumerated().map { ($0.offset, $0.element.value[member.name]?.plainText ?? "", $0.element) }
    items = keyed.sorted { a, b in
      if a.1.utf8Equals(b.1) { return a.0 < b.0 }
      return Self.isGreater(a.1, than: b.1) == isDown
    }.map(\.2)
  }
}
