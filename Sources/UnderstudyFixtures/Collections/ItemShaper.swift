/// Items as the client sends them, as they are kept, and as the client gets them.
package struct ItemShaper {
  let schemas: SchemaLibrary

  package init(schemas: SchemaLibrary) { self.schemas = schemas }

  private static let depthLimit = 16

  /// What the client may set: without members that are read only.
  package func writable(_ value: JSON, _ schema: ResolvedSchema, depth: Int = 0) -> JSON {
    mapped(value, schema, depth) {
      !$0.sets(.readOnly)
    } change: {
      writable($0, $1, depth: depth + 1)
    }
  }

  /// What the client gets: without members that are written only, or that only the request declares.
  func readable(_ value: JSON, _ schema: ResolvedSchema, depth: Int = 0) -> JSON {
    let isOpen = schema.properties.isEmpty || schema.describesOthers
    guard value.isObject || value.isArray, depth < Self.depthLimit else { return value }
    let visible = mapped(value, schema, depth) {
      !$0.sets(.writeOnly)
    } change: {
      readable($0, $1, depth: depth + 1)
    }
    guard visible.isObject, !isOpen else { return visible }
    return .object(visible.members.filter { schema.property($0.name) != nil }.map { ($0.name, $0.value) })
  }

  /// The value with the members that the server sets and the schema requires, from a sample.
  package func completed(
    _ value: JSON, _ schema: ResolvedSchema, from sample: JSON?, now: String, depth: Int = 0
  ) -> JSON {
    guard value.isObject, let sample, sample.isObject, depth < Self.depthLimit else { return value }
    var members = value.members.map { member in
      (
        member.name,
        schema.property(member.name).map {
          completed(member.value, $0, from: sample[member.name], now: now, depth: depth + 1)
        } ?? member.value
      )
    }
    for member in sample.members where value[member.name] == nil {
      guard let property = schema.property(member.name), !property.sets(.writeOnly),
        schema.requirement(of: member.name) != nil || property.sets(.readOnly)
      else { continue }
      members.append((member.name, Self.isTime(member.name, property, of: .creation) ? .string(now) : member.value))
    }
    return .object(members)
  }

  /// The value with the time of its last change.
  package func touched(_ value: JSON, _ schema: ResolvedSchema, now: String) -> JSON {
    .object(
      value.members.map { member in
        let isTime = schema.property(member.name).map { Self.isTime(member.name, $0, of: .change) } ?? false
        return (member.name, isTime ? .string(now) : member.value)
      })
  }

  private enum Event { case creation, change }

  /// Whether a member is the time of an event, as its name and format say.
  private static func isTime(_ name: String, _ schema: ResolvedSchema, of event: Event) -> Bool {
    guard schema.hasFormat("date-time") else { return false }
    let name = ResourceIdentity.normal(name)
    let words = ["updated", "modified", "changed"] + (event == .creation ? ["created"] : [])
    return words.contains { name.hasPrefix($0) || name.hasSuffix($0) }
  }

  /// The members that pass, each changed by its schema.
  private func mapped(
    _ value: JSON, _ schema: ResolvedSchema, _ depth: Int, keeps: (ResolvedSchema) -> Bool,
    change: (JSON, ResolvedSchema) -> JSON
  ) -> JSON {
    guard depth < Self.depthLimit else { return value }
    if value.isArray { return .array(value.elements.map { change($0, schema.element) }) }
    guard value.isObject else { return value }
    return .object(
      value.distinctMembers.compactMap { member in
        guard let property = schema.property(member.name) else { return (member.name, member.value) }
        return keeps(property) ? (member.name, change(member.value, property)) : nil
      })
  }
}
