/// A request that the provider of a contract sends: a webhook, or one of a callback.
package struct SentRequest: Sendable {
  /// `newPet` for a webhook, `subscribe.onEvent` for a callback; with its method where several have the name.
  package var name: String
  /// The id of the operation whose response is followed by the request; `nil` for a webhook.
  package var cause: String?
  /// The URL with runtime expressions; `nil` for a webhook.
  package var expression: String?
  package var operation: Operation
}

extension API {
  /// The requests of callbacks and webhooks, each with another name.
  package var sentRequests: [SentRequest] {
    var found = operations.flatMap { operation in
      operation.callbacks.flatMap { callback in
        callback.operations.map {
          SentRequest(
            name: "\(operation.id).\(callback.name)", cause: operation.id, expression: callback.expression,
            operation: $0)
        }
      }
    }
    found += webhooks.map { SentRequest(name: $0.path, operation: $0) }
    var counts: [String: Int] = [:]
    for request in found { counts[request.name, default: 0] += 1 }
    var used: Set<String> = []
    for index in found.indices {
      let name = found[index].name
      if counts[name] ?? 0 > 1 { found[index].name += ".\(found[index].operation.method.lowercased())" }
      var number = 2
      while !used.insert(found[index].name).inserted {
        found[index].name = "\(name).\(number)"
        number += 1
      }
    }
    return found
  }
}
