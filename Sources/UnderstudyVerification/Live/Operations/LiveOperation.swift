/// An operation with everything that a live run needs.
struct LiveOperation: Sendable {
  let compiled: CompiledOperation
  let writer: RequestWriter
  let options: ValidationOptions
  let samples: SampleSource
  let fixtures: [Fixture]
  /// The possible parameters, with path parameters that the contract forgot, without others in `path`.
  let parameters: [Parameter]
  /// The turns of the operation among those that have the same parameter, where many have it.
  let turns: [String: Turn]
  /// Whether the run has so many operations that what one reader reads for all of them is tried by some.
  let isOneOfMany: Bool
  /// Whether the run has so few paths that each gets all methods that it does not have.
  let hasFewPaths: Bool
  let router: Router
  /// The position among the operations of the router.
  let index: Int

  /// The turn of an operation among several that share the ways to break a parameter.
  struct Turn: Sendable {
    /// From 0.
    let index: Int
    let count: Int

    /// The share of this turn: together, the turns have every element, and each turn has one at least.
    func share<Element>(of elements: [Element]) -> [Element] {
      guard elements.count > count else { return elements.isEmpty ? [] : [elements[index % elements.count]] }
      return stride(from: index, to: elements.count, by: count).map { elements[$0] }
    }
  }

  /// The operations together that each try what one reader reads for all.
  private static let sharing = 3

  /// The elements that one of many operations tries, by its name; all where there are few.
  func share<Element>(of elements: [Element], as name: String) -> [Element] {
    guard isOneOfMany else { return elements }
    let index = Int(StableHash.of([samples.seed, name]) % UInt64(Self.sharing))
    return Turn(index: index, count: Self.sharing).share(of: elements)
  }

  /// The turn among many operations with such a parameter; `nil` where few have it.
  func turn(of parameter: Parameter) -> Turn? { turns[Self.key(of: parameter)] }

  /// Parameters of one name, place and schema are read alike.
  static func key(of parameter: Parameter) -> String {
    let schema = (parameter.schema ?? parameter.content?.schema).map { JSONWriter.text($0) } ?? ""
    return "\(parameter.location.rawValue) \(parameter.name) \(parameter.isRequired) \(schema)"
  }

  var operation: Operation { compiled.operation }
  /// Different from those of other operations, in other contracts as well.
  var uniqueName: String { "\(index) \(compiled.api.name)" }
  var refusals: Refusals { Refusals(map: compiled.violations) }

  static func parameters(of operation: Operation) -> [Parameter] {
    let names = operation.template.names.unique()
    let own = operation.parameters.filter { parameter in
      parameter.location != .path || names.contains { parameter.name.utf8.elementsEqual($0) }
    }
    let forgotten = names.filter { name in
      !own.contains { $0.location == .path && $0.name.utf8.elementsEqual(name) }
    }
    return own + forgotten.map { RequestOverlay.undeclared(String(decoding: $0, as: UTF8.self), .path) }
  }

  /// What it may do to the rest of the run.
  var danger: OperationDanger { OperationDanger(operation, compiled.schemas) }

  var isSafe: Bool { SafeMethods.contains(operation.method) }

  /// Whether a success may be a stream of events, whose start may take any time.
  var documentsStream: Bool {
    operation.responses.contains { response in
      200...299 ~= response.status.code
        && response.content.contains { MediaRange($0.range)?.syntax == .eventStream }
    }
  }

  /// Whether its only success is to switch protocols, which a plain request cannot ask for.
  var onlyUpgrades: Bool {
    let codes = operation.responses.map(\.status.code)
    return codes.contains(101) && !codes.contains { 200...399 ~= $0 }
      && !operation.responses.contains { $0.status == .default }
  }

  func subject(status: String? = nil) -> Report.Subject {
    Report.Subject(contract: compiled.api.name, operation, status: status)
  }

  func subject(answeredWith code: Int) -> Report.Subject {
    Report.Subject(contract: compiled.api.name, operation, answeredWith: code)
  }

  /// The draft as a call; `nil` where it cannot be written, or reaches another operation.
  func call(_ draft: RequestDraft, _ purpose: LiveCall.Purpose, _ label: String) -> LiveCall? {
    guard let wire = writer.write(draft) else { return nil }
    var validated = ValidationResult()
    if purpose.isOfForeignMethod {
      guard case .wrongMethod(let allowed, _, _) = router.route(draft.method, wire.target) else { return nil }
      // Where templates overlap, the contract leaves open which methods `Allow` lists.
      if purpose == .options, !isWhole(allowed) { return nil }
    } else {
      guard let view = view(of: wire) else { return nil }
      validated = compiled.requestValidator.validation(of: view, options)
      // The server does not ask for them.
      if draft.credentials == .good, writer.credentials.areLeftOut(for: operation) {
        validated.findings.removeAll { $0.violation == .unauthorized }
      }
    }
    return LiveCall(purpose: purpose, label: label, draft: draft, wire: wire, validated: validated)
  }

  /// Whether methods are those of this path alone; servers add HEAD and OPTIONS themselves.
  private func isWhole(_ methods: [String]) -> Bool {
    let implied: Set<String> = ["HEAD", "OPTIONS"]
    let own = Self.allMethods.filter { operation.pathNode[$0.lowercased()] != nil }
    return Set(methods).subtracting(implied) == Set(own).subtracting(implied)
  }

  private static let allMethods = ["GET", "PUT", "POST", "DELETE", "PATCH", "TRACE", "QUERY"]

  /// The request as this operation sees it; `nil` where it reaches another operation, or none.
  func view(of wire: WireRequest) -> RequestView? {
    guard case .match(let match) = router.route(wire.request.method.rawValue, wire.target), match.operation == index,
      !match.isHeadForGet
    else { return nil }
    return RequestView(request: wire.request, target: wire.target, captures: match.captures, body: wire.body)
  }

  /// The request that deletes what a draft names, where the path has a DELETE.
  func deletion(_ draft: RequestDraft) -> WireRequest? {
    guard operation.pathNode["delete"] != nil else { return nil }
    var deletion = RequestDraft(method: "DELETE")
    deletion.arguments = draft.arguments.filter { $0.parameter.location == .path }
    return writer.write(deletion)
  }

  /// A valid call; where the contract does not describe a parameter that it needs, only the answer is validated.
  func validCall(_ draft: RequestDraft, _ purpose: LiveCall.Purpose = .valid, _ label: String) -> LiveCall? {
    let isKnown = draft.arguments.allSatisfy { $0.parameter.isDescribed || !$0.parameter.isRequired }
    return call(draft, isKnown ? purpose : .answerOnly, label).flatMap {
      // The contract's author may write an example whose format no tool checks.
      $0.violation == nil && $0.validated.isValid && (purpose == .example || keepsFormats(draft)) ? $0 : nil
    }
  }

  /// Whether credentials are part of its request, as of a login: a 401 is about them then.
  var takesCredentials: Bool {
    func isSecret(_ name: String, _ position: SecretNames.Position) -> Bool {
      SecretNames.strength(of: name, as: position) == .strong
    }
    let inParameters = operation.parameters.contains { parameter in
      isSecret(parameter.name, parameter.location == .header ? .header : .query)
    }
    return inParameters || takesCredentialsInBody
  }

  /// Whether a body has them, which an operation reads only after all that is in front of it.
  var takesCredentialsInBody: Bool {
    (operation.requestBody?.content ?? []).contains { media in
      guard let schema = media.schema else { return false }
      return compiled.schemas.resolved(schema).properties.contains {
        SecretNames.strength(of: $0.name, as: .member) == .strong
      }
    }
  }

  /// Whether the values have their formats, also those that only annotate: a server may read them all the same.
  func keepsFormats(_ draft: RequestDraft) -> Bool {
    let schemas = samples.schemas
    for argument in draft.arguments {
      guard let schema = argument.parameter.schema ?? argument.parameter.content?.schema else { continue }
      guard schemas.resolved(schema).hasFormats(in: argument.value) else { return false }
    }
    guard case .value(let body, let media)? = draft.body, let schema = media.schema else { return true }
    return schemas.resolved(schema).hasFormats(in: body)
  }

  /// Whether it declares the header `Authorization` as a parameter, which OpenAPI ignores but a reader understands.
  var declaresAuthorization: Bool {
    [operation.node, operation.pathNode].flatMap { $0.elements(of: "parameters") }.contains { node in
      guard case .success(let parameter) = compiled.api.resolver.resolve(node) else { return false }
      return parameter["in"]?.isString("header") == true
        && parameter["name"]?.string.map { FieldSyntax.equalIgnoringCase($0.utf8, "authorization".utf8) } == true
    }
  }

  var lacksDescription: Bool {
    parameters.contains { $0.isRequired && !FramingFields.contains($0) && !$0.isDescribed }
  }

  func invalidCall(_ draft: RequestDraft, _ rule: Rule, _ label: String) -> LiveCall? {
    call(draft, .invalid(rule), label).flatMap { call in
      guard call.violation != nil else { return nil }
      // The keyword that refuses the value: a wrong type of a listed value breaks `enum`.
      var named = call
      let broken = call.validated.findings.first { $0.violation != nil }?.notes.first?.location?.pointer
      if let mark = label.firstRange(of: " breaks `"), let keyword = broken.flatMap({ JSONPointer($0)?.tokens.last }),
        keyword == "enum" || keyword == "const"
      {
        named.label = "\(label[..<mark.lowerBound]) breaks `\(keyword)`"
      }
      return named
    }
  }
}

struct SampleSource: Sendable {
  let schemas: SchemaLibrary
  let seed: String
  let clock: SampleClock?

  /// Variant 0 has the plain seed.
  func generator(_ variant: Int) -> SampleGenerator {
    SampleGenerator(schemas: schemas, seed: variant == 0 ? seed : "\(seed)/\(variant)", clock: clock)
  }

  /// A number below `bound` that depends on the seed and a name alone.
  func choice(_ name: String, _ variant: Int, below bound: Int) -> Int {
    Int(StableHash.of([seed, String(variant), name]) % UInt64(max(bound, 1)))
  }
}
