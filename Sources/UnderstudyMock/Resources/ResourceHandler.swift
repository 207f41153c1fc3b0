/// Performs an action on a collection: the same state, request, time and seed give the same outcome and next state.
struct ResourceHandler {
  let call: ResourceCall
  /// The collections by their paths, to find the parents of items.
  let model: ResourceModel

  private var action: ResourceAction { call.action }
  private var operation: CompiledOperation { call.operation }
  private var request: RequestView { call.request }
  private var collection: ResourceCollection { call.collection }
  private var related: RelatedItems { RelatedItems(call: call, model: model) }
  private var editor: ItemEditor { ItemEditor(call: call) }

  /// The outcome; `nil` where the contract documents no status for it, so that the default response is given.
  func outcome(in state: inout ResourceState) -> ResourceOutcome? {
    let path = collection.path(of: request)
    for ancestor in collection.ancestors(of: request) {
      guard let parent = model.collection(at: ancestor.path) else {
        guard let place = state.deletedPlace(at: "\(ancestor.path)/\(ancestor.id)") else { continue }
        return refusal([404, 410], "\(place) was deleted")
      }
      guard state.begin(ancestor.path, with: { parent.seedItems }) else { return nil }
      guard state.item(ancestor.id, in: ancestor.path) != nil else {
        return refusal([404, 410], "no \(parent.name)/\(ancestor.id)")
      }
    }
    guard state.begin(path, with: { collection.seedItems }) else { return nil }
    if let refusal = missingParent(state) { return refusal }
    switch action.verb {
    case .list: return list(path, state)
    case .create: return create(path, &state)
    case .read, .replace, .update, .delete: return change(path, &state)
    }
  }

  /// The refusal of a request whose path names an item that does not exist: `/posts/9/comments`.
  private func missingParent(_ state: ResourceState) -> ResourceOutcome? {
    guard !collection.references.isEmpty else { return nil }
    for (member, source) in action.sets + action.alternatives.flatMap(\.self) {
      guard case .part(.path, let name) = source, let id = request.values(.path, name).first,
        let reference = collection.references.first(where: { $0.member.utf8Equals(member) }),
        let parent = model.collection(named: reference.collection)
      else { continue }
      let items = state.items(in: parent.path(of: request)) ?? parent.seedItems
      if !items.contains(where: { $0.id.utf8Equals(id) }) { return refusal([404, 410], "no \(parent.label(of: id))") }
    }
    return nil
  }

  private func list(_ path: String, _ state: ResourceState) -> ResourceOutcome {
    let page = ResourceQuery(call: call).page(of: state.items(in: path) ?? [])
    let counts = responseHeaders.filter {
      ["xtotalcount", "xtotal", "totalcount"].contains(ResourceIdentity.normal($0))
    }
    let links = page.links.map { links in
      responseHeaders.filter { FieldSyntax.equalIgnoringCase($0.utf8, "link".utf8) }.map { ($0, links) }
    }
    let (items, isCut) = related.adding(to: page.items.map { collection.shown($0) }, in: state)
    return ResourceOutcome(
      code: operation.successCode, items: items,
      total: page.total, headers: counts.map { ($0, String(page.total)) } + (links ?? []),
      action: "\(collection.name), \(page.items.count) of \(page.total)" + hidden(page) + unsorted(page)
        + (isCut ? ", related items beyond \(RelatedItems.sizeLimit.asBytes) left out" : ""))
  }

  /// `, 3 hidden by the default of status`, where defaults of parameters filter items out.
  private func hidden(_ page: ResourceQuery.Page) -> String {
    let (count, parameters) = page.hidden
    if count == 0 { return "" }
    return ", \(count) hidden by the default of \(parameters.joined(separator: ", "))"
  }

  /// `, not sorted by titel, which no item has`
  private func unsorted(_ page: ResourceQuery.Page) -> String {
    guard page.total > 0, !page.unsorted.isEmpty else { return "" }
    let names = VisibleText.shortened(VisibleText.line(page.unsorted.joined(separator: ", ")), to: 80)
    return ", not sorted by \(names), which no item has"
  }

  private func create(_ path: String, _ state: inout ResourceState) -> ResourceOutcome? {
    guard state.hasRoom(in: path) else { return refusal([507, 503, 429, 409], "\(collection.name) is full") }
    let given = editor.given
    let id = given.flatMap(collection.id)
    if let id, state.item(id, in: path) != nil, let refusal = refusal([409], "\(collection.name)/\(id) exists") {
      return refusal
    }
    let number = state.nextNumber()
    let taken = id == nil ? state.items(in: path) ?? [] : []
    // The type of an id may be several, so the request's own value stays.
    let own = id == nil ? nil : collection.idMember.flatMap { given?[$0] }
    let new =
      own
      ?? ResourceIdentity.new(
        for: collection.idSchema, in: collection.schemas, number: number, seed: call.seed, items: taken)
    let item = makingEditor(&state).made(given, id: new, number: number)
    state.put(item, in: path)
    return answer(item, code: creationCode, "created", location: location(of: item.id))
  }

  /// An editor for a new item, whose time is its own where the request gives it one.
  private func makingEditor(_ state: inout ResourceState) -> ItemEditor {
    guard action.sets.contains(where: { $0.source == .now }) else { return editor }
    var call = call
    call.now = state.nextTime(call.now)
    return ItemEditor(call: call)
  }

  /// 201 if it has the item, else the 2xx that has it.
  private var creationCode: Int {
    let isCreated = operation.cells.contains { cell in
      cell.status == .code(201) && cell.content.contains { MediaRange($0.range)?.syntax == .json }
    }
    return isCreated ? 201 : operation.resourceResponse?.code ?? (documents(201) ? 201 : operation.successCode)
  }

  private func change(_ path: String, _ state: inout ResourceState) -> ResourceOutcome? {
    let given = action.idParameter.flatMap { request.values(.path, $0).first }
    let single = collection.isSingle ? ResourceCollection.singleID : nil
    guard let id = single ?? given ?? editor.given.flatMap(collection.id) else { return nil }
    guard var item = state.item(id, in: path) else {
      guard action.verb == .replace, documents(201), state.hasRoom(in: path) else {
        return refusal([404, 410], "no \(collection.label(of: id))")
      }
      let item = editor.made(editor.given, id: collection.idValue(id), number: state.nextNumber())
      state.put(item, in: path)
      return answer(item, code: 201, "created", location: request.target)
    }
    if let refusal = failedPrecondition(item) { return refusal }
    switch action.verb {
    case .delete:
      state.remove(id, from: path)
      return answer(item, code: operation.successCode, "deleted")
    case .replace, .update:
      switch editor.changed(item.value) {
      case .failure(let refused): return refusal(refused.codes, refused.message)
      case .success(let value):
        item.value = value
        item.revision += 1
        item = collection.showing(item)
        state.put(item, in: path)
        return answer(item, code: successCode, "changed")
      }
    default:
      var outcome = answer(item, code: operation.successCode, "")
      outcome.item = outcome.item.flatMap { related.adding(to: [$0], in: state).items.first }
      return outcome
    }
  }

  /// `PUT` of an item that exists is not a creation.
  private var successCode: Int { operation.successCode == 201 && documents(200) ? 200 : operation.successCode }

  private func failedPrecondition(_ item: ResourceItem) -> ResourceOutcome? {
    if action.verb == .read {
      guard let tags = request.request.headerFields[.ifNoneMatch], documents(304), matches(tags, item) else {
        return nil
      }
      return ResourceOutcome(
        code: 304, headers: tagHeaders(of: item), action: "\(collection.label(of: item.id)) unchanged")
    }
    guard let tags = request.request.headerFields[.ifMatch], !matches(tags, item) else { return nil }
    return refusal([412], "\(collection.label(of: item.id)) has another ETag")
  }

  private func matches(_ tags: String, _ item: ResourceItem) -> Bool {
    FieldSyntax.split(tags.utf8, at: UInt8(ascii: ",")).contains { tag in
      let text = String(decoding: tag, as: UTF8.self)
      return text == "*" || text.utf8Equals(item.entityTag)
    }
  }

  private func answer(
    _ item: ResourceItem, code: Int, _ what: String, location: String? = nil
  ) -> ResourceOutcome {
    var headers = tagHeaders(of: item)
    if let location, code == 201 || names(of: code).contains(where: { ResourceIdentity.normal($0) == "location" }) {
      headers.append(("Location", location))
    }
    return ResourceOutcome(
      code: code, item: collection.shown(item), headers: headers,
      action: [what, collection.label(of: item.id)].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// The `ETag`, where the operation documents one.
  private func tagHeaders(of item: ResourceItem) -> [(name: String, value: String)] {
    operation.hasEntityTag ? [("ETag", item.entityTag)] : []
  }

  private var responseHeaders: [String] { names(of: operation.successCode) }

  private func names(of code: Int) -> [String] { operation.operation.response(for: code)?.headers.map(\.name) ?? [] }

  /// The path of a new item: below the path of the request, or where the collection reads its items.
  private func location(of id: String) -> String {
    let target = request.target.prefix { $0 != "?" }
    var path = target[...]
    if let reader = collection.reader, !collection.references.isEmpty {
      let own = operation.operation.path.split(separator: "/").count
      let other = reader.operation.path.split(separator: "/").dropLast()
      let base = target.split(separator: "/").dropLast(own)
      if own != other.count { path = (base + other).reduce("") { "\($0)/\($1)" }[...] }
    }
    return "\(path.hasSuffix("/") ? path.dropLast() : path)/\(PercentEncoding.encode(id, keeping: "-._~"))"
  }

  private func documents(_ code: Int) -> Bool { operation.documents(code) }

  private func refusal(_ codes: [Int], _ action: String) -> ResourceOutcome? {
    .refusal(of: operation, codes, action)
  }
}
