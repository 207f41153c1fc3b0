/// The path to the current value, and through the schemas that apply to it.
struct FailurePath {
  var steps: [Step] = []
  var trace: [TracedSchema] = []
  /// The relation of the current value to the enclosing one.
  var role = Role.value

  /// One step down into the value.
  enum Step {
    case key(String)
    case position(Int)
  }

  enum Role { case value, member, name }

  /// The path into the value.
  var instance: JSONPointer {
    JSONPointer(
      steps.map { step in
        switch step {
        case .key(let name): name
        case .position(let position): String(position)
        }
      })
  }

  /// Adds the schema that is entered.
  ///
  /// - Parameters:
  ///   - reference: The keyword that led there, if it is a reference.
  ///   - entry: The number of the schema among those that were entered.
  mutating func enter(_ schema: JSON, via reference: String?, entry: Int) {
    let outer = trace.last
    let step: [String] =
      if let reference { [reference] } else if let outer {
        Array(schema.pointer.tokens.dropFirst(outer.schema.pointer.tokens.count))
      } else { [] }
    let route = JSONPointer((outer?.route.tokens ?? []) + step)
    trace.append(TracedSchema(schema: schema, route: route, instance: instance, entry: entry))
  }
}
