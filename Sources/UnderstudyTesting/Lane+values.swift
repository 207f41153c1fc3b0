public import UnderstudyClient
import UnderstudyMock
import UnderstudySockets

// What only the process that has the contract can tell of a call.
extension UnderstudyClient.Lane {
  /// The value of a parameter of any location as the contract types it: `lane.value("ids", of: call) == [1, 2]`.
  ///
  /// The style splits it, and the schema decides between texts, numbers, lists and objects. `nil` where the contract does
  /// not declare it, and where the request has none or one that cannot be read.
  public func value(_ name: String, of call: Call) -> JSONValue? {
    typed(call).flatMap { operation, request in operation.compiled.value(of: name, in: request).map { JSONValue($0) } }
  }

  /// The body as the contract types it, forms included: `lane.body(of: call) == ["lat": 37.5]`.
  ///
  /// `nil` where the operation documents none, and where the request has none or one that cannot be read.
  public func body(of call: Call) -> JSONValue? {
    typed(call).flatMap { operation, request in operation.compiled.body(of: request).map { JSONValue($0) } }
  }

  private func typed(_ call: Call) -> (UnderstudyMock.MockOperation, RequestView)? {
    guard let mock = inProcess?.mock, let method = HTTPRequest.Method(call.method),
      let operation = mock.operations.first(where: { $0.id == call.operation }),
      case .match(let match) = mock.contractSet.router.route(call.method, call.target)
    else { return nil }
    var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: call.target)
    for field in call.headers {
      guard let name = HTTPField.Name(field.name) else { continue }
      request.headerFields.append(HTTPField(name: name, value: field.value))
    }
    let view = RequestView(request: request, target: call.target, captures: match.captures, body: Array(call.body))
    return (operation, view)
  }
}
