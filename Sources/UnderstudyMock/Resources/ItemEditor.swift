struct ItemEditor {
  let call: ResourceCall

  private var action: ResourceAction { call.action }
  private var request: RequestView { call.request }
  private var now: Int { call.now }
  private var collection: ResourceCollection { call.collection }
  private var shaper: ItemShaper { ItemShaper(schemas: collection.schemas) }
  private var nowText: String { Timestamp.text(microseconds: now) }
  private var body: ResourceBody { ResourceBody(request: request, operation: call.operation) }

  /// Why an item cannot be changed, with the statuses that say so.
  struct Refused: Error {
    let codes: [Int]
    let message: String
  }

  /// What the client may set of the body, an object; in an envelope of the response's name, its content.
  var given: JSON? {
    guard var value = body.value, value.isObject else { return nil }
    if let idMember = collection.idMember, value[idMember] == nil, value.count == 1, !collection.shape.describesOthers,
      let inner = value.members.first(where: { $0.value.isObject }), collection.shape.property(inner.name) == nil
    {
      value = inner.value
    }
    return writable(value)
  }

  private func writable(_ value: JSON) -> JSON { shaper.writable(value, collection.shape) }

  /// A new item, whose id replaces the body's, and whose number makes its generated members different from others.
  func made(_ given: JSON?, id: JSON, number: Int) -> ResourceItem {
    var value = given ?? .object([])
    for (member, source) in action.sets {
      guard let text = source.text(in: request, user: collection.user, now: now) else { continue }
      value = value.setting(member, to: ResourceBody.value(text, collection.shape.property(member) ?? .any))
    }
    for parent in collection.parents {
      let name = ResourceIdentity.normal(parent)
      guard let property = collection.shape.properties.first(where: { ResourceIdentity.normal($0.name) == name }),
        property.name != collection.idMember, let text = request.values(.path, parent).first
      else { continue }
      value = value.setting(property.name, to: ResourceBody.value(text, collection.shape.schema(of: property)))
    }
    if let idMember = collection.idMember { value = value.setting(idMember, to: id) }
    let sample = SampleGenerator(schemas: collection.schemas, seed: "\(call.seed) \(number)").sample(
      of: collection.item, direction: .response)
    value = shaper.completed(value, collection.shape, from: sample, now: nowText)
    return collection.showing(ResourceItem(id: collection.id(of: value) ?? id.plainText, value: value))
  }

  /// The item after `PUT` or `PATCH`; its id and the members that are read only stay.
  func changed(_ old: JSON) -> Result<JSON, Refused> {
    guard let value = body.value else { return .success(old) }
    var new: JSON
    if action.verb == .replace {
      new = given ?? .object([])
    } else if body.kind == .jsonPatch {
      do throws(JSONPatch.Problem) {
        new = writable(try JSONPatch.apply(value, to: old))
      } catch {
        return .failure(Refused(codes: [409, 422, 400], message: "the patch does not fit: \(error)"))
      }
    } else {
      new = writable(MergePatch.apply(given ?? value, to: old))
    }
    new = completed(new, old)
    if action.verb == .replace, !isValid(new), let given {
      // Many contracts describe a change of some members as a `PUT`.
      new = completed(MergePatch.apply(given, to: old), old)
    }
    guard isValid(new) else {
      // The contract allows the request: only a patch can ask for what is not possible.
      let codes = body.kind == .jsonPatch ? [422, 409, 400] : [422]
      guard codes.contains(where: call.operation.documents) else { return .success(old) }
      return .failure(Refused(codes: codes, message: "the item would break the contract"))
    }
    return .success(new)
  }

  /// The changed item with what the client cannot set.
  private func completed(_ new: JSON, _ old: JSON) -> JSON {
    var new = new
    for member in old.members where member.name == collection.idMember || isReadOnly(member) {
      new = new.setting(member.name, to: member.value)
    }
    return shaper.touched(new, collection.shape, now: nowText)
  }

  private func isReadOnly(_ member: JSON.Member) -> Bool {
    writable(.object([(member.name, member.value)])).count == 0
  }

  private func isValid(_ value: JSON) -> Bool {
    guard let reader = collection.reader, let response = reader.resourceResponse,
      let shape = ResourceShape.one(
        response.schema, collection.schemas,
        id: { schema in
          collection.idMember.flatMap { schema.property($0) == nil ? nil : $0 }
        }), shape.member == nil
    else { return true }
    let view = ResponseView(
      status: response.code, fields: [.contentType: "application/json"],
      body: JSONWriter.bytes(collection.shown(value)))
    return !reader.responseValidator.validate(view).findings.contains {
      $0.severity == .error && $0.rule == .responseBodySchema
    }
  }
}

extension JSON {
  /// The object with a member, which replaces one of the same name.
  func setting(_ name: String, to value: JSON) -> JSON {
    var members = self.members.map { ($0.name, $0.value) }
    if let index = members.firstIndex(where: { $0.0.utf8Equals(name) }) {
      members[index].1 = value
    } else {
      members.append((name, value))
    }
    return .object(members)
  }
}
