/// A callback or a webhook to send, once the response that causes it was sent.
package struct CallbackOrder: Sendable {
  package let operation: SentOperation
  package let url: String
  /// The body in place of the operation's.
  package var body: JSON?
  /// The reason, for the journal: `by contract`.
  package var reason: String
  /// The `Via` of the request that causes it: a callback to the mock itself must end.
  let via: [String]

  package init(_ operation: SentOperation, to url: String, body: JSON? = nil, reason: String, via: [String] = []) {
    (self.operation, self.url, self.body, self.reason, self.via) = (operation, url, body, reason, via)
  }
}

extension Mock {
  /// The reply with the callbacks that the contract asks for after it; only a success has any.
  func calling(_ reply: Reply, to prepared: PreparedRequest, _ callbacks: [SentOperation]) -> Reply {
    guard reply.forward == nil, 200...299 ~= reply.status else { return reply }
    var reply = reply
    for callback in callbacks {
      order(callback, to: callback.expression ?? "", prepared, &reply, reason: "by contract")
    }
    return reply
  }

  /// Adds an order with the values of an exchange; without a value its reason is one of the parts that were not validated.
  func order(
    _ callback: SentOperation, to template: String, _ prepared: PreparedRequest, _ reply: inout Reply, reason: String
  ) {
    let cause = prepared.view.request
    guard !URLRewriter.isLoop(cause) else {
      reply.notValidated.append(
        ValidationResult.NotValidated(
          pointer: "",
          reason: "`\(callback.name)` is not sent: \(URLRewriter.hopLimit) callbacks have caused each other"))
      return
    }
    do throws(CallbackURL.Missing) {
      let url = try CallbackURL(request: prepared.view, reply: reply).text(template)
      reply.callbacks.append(
        CallbackOrder(callback, to: url, reason: reason, via: cause.headerFields.lines(named: "via")))
    } catch {
      reply.notValidated.append(
        ValidationResult.NotValidated(
          pointer: "", reason: "`\(callback.name)` is not sent: the exchange has no `\(error.expression)`"))
    }
  }
}
