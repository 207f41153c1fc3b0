/// The items that a request for a list asks for: filters and bounds of members, order, and a page.
struct ResourceQuery {
  let call: ResourceCall

  private static let limits = ["limit", "size", "pagesize", "perpage", "maxresults", "top", "take", "first"]
  private static let offsets = ["offset", "skip", "start", "startindex"]
  private static let pages = ["page", "pagenumber", "pageindex"]
  private static let orders = ["sort", "sortby", "orderby", "order"]
  private static let pageNames = Set(limits + offsets + pages + orders)
  private static let searches = ["q", "query", "search", "term", "keyword"]

  struct Page {
    var items: [ResourceItem]
    /// The number of all items that meet the filters.
    var total: Int
    /// The number of items that only default filters leave out, and the names of their parameters.
    var hidden: (count: Int, parameters: [String])
  }

  /// A query parameter with its values.
  private struct Criterion {
    let parameter: Parameter
    /// The name as `ResourceIdentity.normal` writes it.
    let name: String
    /// The values of the request, or else the default.
    let texts: [String]
    let isSent: Bool
    let member: String?
    var isAboutPages: Bool { ResourceQuery.pageNames.contains(name) }
  }

  func page(of items: [ResourceItem]) -> Page {
    let criteria = criteria
    let filters = criteria.filter { !$0.isAboutPages }
    let described = items.filter { meetsDescription($0.value) }
    var found = filtered(described, by: filters)
    let hidden = hidden(in: described, by: filters, leaving: found.count)
    if let order = first(Self.orders, of: criteria)?.texts.first { sort(&found, by: order) }
    let total = found.count
    func number(_ criterion: Criterion?) -> Int? { criterion?.texts.first.flatMap { Int($0) } }
    let limit = number(first(Self.limits, of: criteria))
    var offset = number(first(Self.offsets, of: criteria)) ?? 0
    if let limit, let page = first(Self.pages, of: criteria), let number = number(page) {
      let first = schema(of: page.parameter).parts.compactMap { $0[.minimum]?.int }.max() ?? 1
      let (index, isBelow) = number.subtractingReportingOverflow(first)
      let (start, isBeyond) = (isBelow ? 0 : max(0, index)).multipliedReportingOverflow(by: limit)
      offset = isBeyond ? .max : start
    }
    return Page(
      items: Array(found.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max))), total: total, hidden: hidden)
  }

  private var criteria: [Criterion] {
    call.operation.operation.parameters.compactMap { parameter in
      guard parameter.location == .query else { return nil }
      let sent = call.request.values(.query, parameter.name)
      let texts = sent.isEmpty ? defaultTexts(of: parameter) : split(sent, of: parameter)
      if texts.isEmpty { return nil }
      let name = ResourceIdentity.normal(parameter.name)
      return Criterion(
        parameter: parameter, name: name, texts: texts, isSent: !sent.isEmpty,
        member: Self.pageNames.contains(name)
          ? nil : call.collection.shape.properties.first { ResourceIdentity.normal($0.name) == name }?.name)
    }
  }

  private func hidden(
    in items: [ResourceItem], by filters: [Criterion], leaving count: Int
  ) -> (count: Int, parameters: [String]) {
    let sent = filters.filter(\.isSent)
    guard sent.count < filters.count else { return (0, []) }
    let wanted = filtered(items, by: sent)
    guard wanted.count > count else { return (0, []) }
    let hiding = filters.filter { !$0.isSent && filtered(wanted, by: sent + [$0]).count < wanted.count }
    return (wanted.count - count, hiding.map(\.parameter.name))
  }

  private func filtered(_ items: [ResourceItem], by filters: [Criterion]) -> [ResourceItem] {
    if filters.isEmpty { return items }
    let ranges = ranges(filters)
    return items.filter { item in
      filters.allSatisfy { Self.meets(item.value, $0) } && ranges.allSatisfy { $0.holds(for: item.value) }
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

  /// Returns whether an item meets a filter: a value of the member with its name, or a search term.
  private static func meets(_ value: JSON, _ filter: Criterion) -> Bool {
    guard let member = filter.member else {
      guard searches.contains(filter.name), let text = filter.texts.first?.lowercased(), !text.isEmpty else {
        return true
      }
      return value.members.contains { $0.value.string?.lowercased().contains(text) == true }
    }
    guard let found = value[member] else { return false }
    if found.isArray {
      return filter.texts.allSatisfy { text in found.elements.contains { $0.plainText.utf8Equals(text) } }
    }
    return filter.texts.contains { found.plainText.utf8Equals($0) }
  }

  /// The bounds that filters without a member of their name ask for.
  private func ranges(_ filters: [Criterion]) -> [ResourceRange] {
    let bounds: [(name: String, text: String)] = filters.compactMap { filter in
      guard filter.member == nil, let text = filter.texts.first, !text.isEmpty else { return nil }
      return (filter.parameter.name, text)
    }
    return bounds.isEmpty ? [] : ResourceRange.all(bounds, of: call.collection)
  }

  private func defaultTexts(of parameter: Parameter) -> [String] {
    schema(of: parameter).parts.lazy.compactMap { $0.schema["default"] }.first?.requestTexts ?? []
  }

  private func split(_ sent: [String], of parameter: Parameter) -> [String] {
    guard !parameter.explode, parameter.style == .form else { return sent }
    return sent.flatMap { $0.split(separator: ",").map(String.init) }
  }

  private func schema(of parameter: Parameter) -> ResolvedSchema {
    parameter.schema.map(call.operation.schemas.resolved) ?? .any
  }

  private func first(_ names: [String], of criteria: [Criterion]) -> Criterion? {
    criteria.first { names.contains($0.name) }
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
