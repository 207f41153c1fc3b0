package struct VolatileOperation: Sendable, Equatable {
  /// Query parameters and fields of the body, as `/query/nonce`, which explain no answer.
  var request = VolatilePointers()
  /// In the bodies of answers, by status.
  var answers: [Int: VolatilePointers] = [:]

  /// In the bodies of answers with a status.
  subscript(status: Int) -> VolatilePointers { answers[status] ?? VolatilePointers() }

  mutating func merge(_ other: VolatileOperation) {
    request.merge(other.request)
    answers.merge(other.answers) { own, other in
      var merged = own
      merged.merge(other)
      return merged
    }
  }

  /// Without the places of which a condition does not hold.
  func filtered(_ isIncluded: (String) -> Bool) -> VolatileOperation {
    var filtered = self
    filtered.request = request.filtered(isIncluded)
    filtered.answers = answers.mapValues { $0.filtered(isIncluded) }
    return filtered
  }

  /// The name of the part for requests, beside those for statuses.
  private static let requestKey = "request"

  init() {}

  /// Reads what `write` wrote.
  init(_ node: JSON) {
    for part in node.members {
      var pointers = VolatilePointers()
      for place in part.value.members {
        if let kind = place.value.string.flatMap(VolatilePointers.Kind.init) { pointers.add(kind, at: place.name) }
      }
      if part.name == Self.requestKey {
        request = pointers
      } else if let status = Int(part.name) {
        answers[status] = pointers
      }
    }
  }

  /// Writes the parts in the order of their statuses.
  func write(to yaml: inout YAMLText, indent: Int) {
    for (name, pointers) in parts {
      yaml.line("\(YAMLText.scalar(name)):", indent: indent)
      for (pointer, kind) in pointers.sorted {
        yaml.line("\(YAMLText.scalar(pointer)): \(kind.rawValue)", indent: indent + 2)
      }
    }
  }

  /// The parts that have something volatile, by `request` or status.
  var parts: [(name: String, pointers: VolatilePointers)] {
    (request.isEmpty ? [] : [(Self.requestKey, request)])
      + answers.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map { ("\($0.key)", $0.value) }
  }
}
