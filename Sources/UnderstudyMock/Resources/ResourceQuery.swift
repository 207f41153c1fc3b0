/// The items that a request for a list asks for: filters and bounds of members, order, and a page.
struct ResourceQuery {
  let call: ResourceCall

  private static let limits = ["limit", "size", "pagesize", "perpage", "maxresults", "top", "take", "first"]
  private static let offsets = ["offset", "skip", "start", "startindex"]
  private static let pages = ["page", "pagenumber", "pageindex"]
  private static let orders = ["sort", "sortby", "orderby", "order"]
  /// The name of the end of a part of the items in json-server; `end` alone is a member of many items.
  private static let end = "_end"
  private static let pageNames = Set(limits + offsets + pages + orders)
  private static let searches = ["q", "query", "search", "term", "keyword"]

  struct Page {
    var items: [ResourceItem]
    /// The number of all items that meet the filters.
    var total: Int
    /// The number of items that only default filters leave out, and the names of their parameters.
    var hidden: (count: Int, parameters: [String])
    /// The names in the order of the request that no item has.
    var unsorted: [String]
    /// The other pages; `nil` where the request names no page.
    var links: String?
  }

  /// A query parameter with its values.
  private struct Criterion {
    /// The name in the query.
    let label: String
    let schema: ResolvedSchema
    /// The name as `ResourceIdentity.normal` writes it.
    let name: String
    /// The values of the request, or else the default.
    let texts: [String]
    let isSent: Bool
    let filter: ResourceFilter?
    /// The search of a parameter such as `q`; `nil` for other parameters, and for an empty string.
    let search: TextSearch?
    var isAboutPages: Bool { ResourceQuery.pageNames.contains(name) || label == ResourceQuery.end }
  }

  func page(of items: [ResourceItem]) -> Page {
    let criteria = criteria(for: items)
    let filters = criteria.filter { !$0.isAboutPages }
    let described = items.filter { meetsDescription($0.value) }
    var found = filtered(described, by: filters)
    let hidden = hidden(in: described, by: filters, leaving: found.count)
    let unsorted = sort(&found, by: criteria)
    let total = found.count
    let (range, links) = bounds(criteria, total: total)
    return Page(
      items: Array(found.dropFirst(range.start).prefix(range.count)), total: total, hidden: hidden,
      unsorted: unsorted, links: links)
  }

  /// The part of the items that a request asks for, and the links to the other pages.
  private func bounds(_ criteria: [Criterion], total: Int) -> ((start: Int, count: Int), links: String?) {
    func number(_ criterion: Criterion?) -> Int? { criterion?.texts.first.flatMap(Self.number) }
    let page = first(Self.pages, of: criteria)
    var limit = number(first(Self.limits, of: criteria)) ?? (page == nil ? nil : call.action.pageSize)
    var offset = number(first(Self.offsets, of: criteria)) ?? 0
    var links: String?
    if let limit, let page, let number = number(page) {
      let first = page.schema.parts.compactMap { $0[.minimum]?.int }.max() ?? 1
      let (index, isBelow) = number.subtractingReportingOverflow(first)
      let (start, isBeyond) = (isBelow ? 0 : max(0, index)).multipliedReportingOverflow(by: limit)
      offset = isBeyond ? .max : start
      links = PageLinks.text(
        call.request.target, parameter: page.label, page: number, first: first, size: limit, total: total)
    }
    offset = max(0, offset)
    if let end = number(criteria.first { $0.label == Self.end }) {
      limit = min(limit ?? .max, end > offset ? end - offset : 0)
    }
    return ((offset, max(0, limit ?? .max)), links)
  }

  /// An integer, clamped to 64 bits.
  private static func number(_ text: String) -> Int? {
    if let number = Int(text) { return number }
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return text.utf8.count == digits.count ? .max : .min
  }

  private func criteria(for items: [ResourceItem]) -> [Criterion] {
    let parameters = call.operation.operation.parameters.filter { $0.location == .query }
    return parameters.flatMap { parameter -> [Criterion] in
      let schema = schema(of: parameter)
      if parameter.style == .form, parameter.explode, schema.forms.first == .object, parameter.content == nil {
        return members(of: schema, besides: parameters, among: items)
      }
      let sent = call.request.values(.query, parameter.name)
      let texts = sent.isEmpty ? defaultTexts(of: schema) : split(sent, of: parameter)
      if texts.isEmpty { return [] }
      let name = ResourceIdentity.normal(parameter.name)
      return [
        Criterion(
          label: parameter.name, schema: schema, name: name, texts: texts, isSent: !sent.isEmpty,
          filter: Self.pageNames.contains(name)
            ? nil : ResourceFilter(parameter.name, of: call.collection.shape, takesBounds: false),
          search: Self.searches.contains(name) ? texts.first.flatMap { $0.isEmpty ? nil : TextSearch($0) } : nil)
      ]
    }
  }

  /// The filters of the members of an exploded object, which are parameters of their own in the query.
  private func members(
    of schema: ResolvedSchema, besides parameters: [Parameter], among items: [ResourceItem]
  ) -> [Criterion] {
    guard call.request.hasQuery else { return [] }
    let shape = call.collection.shape
    return call.request.input.query.names.unique().compactMap { name in
      guard !parameters.contains(where: { $0.name.utf8Equals(name) }), !Preferences.queryNames.contains(name),
        let filter = ResourceFilter(
          name, of: shape, items: items, isOpen: schema.describesOthers && shape.describesOthers, takesBounds: true)
      else { return nil }
      return Criterion(
        label: name, schema: .any, name: "", texts: call.request.values(.query, name), isSent: true, filter: filter,
        search: nil)
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
    return (wanted.count - count, hiding.map(\.label))
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
  static func isGreater(_ a: String, than b: String) -> Bool {
    if let a = Double(a), let b = Double(b) { return a > b }
    if let a = Timestamp.microseconds(a.utf8), let b = Timestamp.microseconds(b.utf8) { return a > b }
    return a.utf8.lexicographicallyPrecedes(b.utf8) ? false : a != b
  }

  /// Returns whether an item meets a filter: a value of the member with its name, or a search term.
  private static func meets(_ value: JSON, _ filter: Criterion) -> Bool {
    if let condition = filter.filter { return condition.holds(for: value, filter.texts) }
    guard let search = filter.search else { return true }
    return has(search, value)
  }

  /// Whether a string in a value contains the string of a search.
  private static func has(_ search: TextSearch, _ value: JSON) -> Bool {
    var values = [value]
    while let value = values.popLast() {
      if value.string.map(search.finds) == true { return true }
      values += value.elements
      values += value.members.map(\.value)
    }
    return false
  }

  /// The bounds that filters without a member of their name ask for.
  private func ranges(_ filters: [Criterion]) -> [ResourceRange] {
    let bounds: [(name: String, text: String)] = filters.compactMap { filter in
      guard filter.filter == nil, let text = filter.texts.first, !text.isEmpty else { return nil }
      return (filter.label, text)
    }
    return bounds.isEmpty ? [] : ResourceRange.all(bounds, of: call.collection)
  }

  private func defaultTexts(of schema: ResolvedSchema) -> [String] {
    schema.parts.lazy.compactMap { $0.schema["default"] }.first?.requestTexts ?? []
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

  /// Sorts the items; returns the names in the order that no item has.
  private func sort(_ items: inout [ResourceItem], by criteria: [Criterion]) -> [String] {
    guard let main = first(Self.orders, of: criteria) else { return [] }
    // `order` may name a member, or the directions of `sort`.
    let directions = criteria.filter { $0.name == "order" && $0.label != main.label }.flatMap(\.texts)
    let order = ResourceOrder(main.texts, directions: directions, of: call.collection.shape, items)
    order.sort(&items)
    return order.unknown
  }
}
