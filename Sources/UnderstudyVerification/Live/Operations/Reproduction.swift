/// The commands that repeat a request, after the creation of what it names, whose new id is read into a variable.
struct Reproduction {
  private let known: KnownValues
  private let redactor: Redactor
  /// The operations whose names the server keeps apart, by their unique names.
  private let apart: Set<String>
  private var hasMoment = false
  private var lines: [String] = []
  private var creations: [(wire: WireRequest, member: String?, variable: Variable?)] = []

  /// A shell variable that has an id, with the digits that stand for it in a request until the command is written.
  private struct Variable {
    let name: String
    let digits: String
  }

  /// The most creations that need one another.
  private static let depthLimit = 3
  /// No usual id.
  private static let firstDigits = 816_091_725_301

  init(known: KnownValues, redactor: Redactor, apart: Set<String> = []) {
    (self.known, self.redactor, self.apart) = (known, redactor, apart)
  }

  /// Digits that stand for the moment of a repetition.
  static let moment = "816091725299"

  /// Adds a request whose names are new each time.
  mutating func addNamed(_ call: LiveCall, of subject: LiveOperation, else plain: LiveCall) {
    let parts = prepared(call.draft, of: subject, before: call.wire)
    let wire = parts.variables.isEmpty ? call.wire : subject.writer.write(parts.draft)
    let variables = parts.variables + [Variable(name: "moment", digits: Self.moment)]
    let command = line(wire, variables, else: plain.wire)
    if command.contains("${moment}") { addMoment() }
    lines.append(command)
  }

  private mutating func addMoment() {
    if !hasMoment { lines.insert("moment=$(date +%s%N)", at: 0) }
    hasMoment = true
  }

  var text: String { known.withoutSecrets(lines.joined(separator: "\n")) }

  /// Adds a request as it was sent, without what it names.
  mutating func addAlone(_ call: LiveCall) { lines.append(call.wire.curl(redactor)) }

  /// - Parameter deletesFirst: Whether what the path names is deleted before.
  mutating func add(_ call: LiveCall, of subject: LiveOperation, deletesFirst: Bool) {
    let (draft, variables) = prepared(call.draft, of: subject, before: call.wire)
    if deletesFirst, let deletion = subject.deletion(draft), let plain = subject.deletion(call.draft) {
      lines.append(line(deletion, variables, else: plain))
    }
    lines.append(line(variables.isEmpty ? call.wire : subject.writer.write(draft), variables, else: call.wire))
  }

  /// A draft with variables for what the lines create, which are added.
  private mutating func prepared(
    _ draft: RequestDraft, of subject: LiveOperation, before wire: WireRequest, _ depth: Int = 0
  ) -> (draft: RequestDraft, variables: [Variable]) {
    var draft = draft
    var variables: [Variable] = []
    guard depth < Self.depthLimit else { return (draft, []) }
    for reference in known.createdReferences.find(in: draft, of: subject.operation)
    where reference.creation.call.wire != wire {
      guard let variable = create(reference, depth) else { continue }
      let digits = variable.digits
      let id = reference.id.isString ? JSON.string(digits) : JSON.make { $0.append(number: digits.utf8) }
      guard let changed = draft.setting(reference, to: id) else { continue }
      draft = changed
      variables.append(variable)
    }
    return (draft, variables)
  }

  /// Adds the command that creates what a request names, unless it is there; returns the variable that has the id.
  private mutating func create(_ reference: CreatedReference, _ depth: Int) -> Variable? {
    let (creation, member) = (reference.creation, reference.member)
    if let known = creations.first(where: { $0.wire == creation.call.wire }) {
      return known.member == member ? known.variable : nil
    }
    let isNew = apart.contains(creation.subject.uniqueName) && creation.reading(reference.id, from: member) != nil
    let named =
      isNew ? FreshValues(subject: creation.subject, run: "").call(like: creation.call, marked: Self.moment) : nil
    let start = named?.draft ?? creation.call.draft
    var (draft, variables) = prepared(start, of: creation.subject, before: creation.call.wire, depth + 1)
    if named != nil {
      variables.append(Variable(name: "moment", digits: Self.moment))
      addMoment()
    }
    let wire = variables.isEmpty ? creation.call.wire : creation.subject.writer.write(draft)
    let command = line(wire, variables, else: creation.call.wire)
    guard let (options, filter) = creation.reading(reference.id, from: member) else {
      lines.append(command)
      creations.append((creation.call.wire, member, nil))
      return nil
    }
    let variable = Variable(name: name(like: reference.name), digits: String(Self.firstDigits + creations.count))
    let reading = command.replacing("curl -i", with: "curl \(options)", maxReplacements: 1)
    lines.append("\(variable.name)=$(\(reading) | \(filter))")
    creations.append((creation.call.wire, member, variable))
    return variable
  }

  /// The command of a request, with variables for their digits. Where one is hidden, the request is written as it was sent.
  private func line(_ wire: WireRequest?, _ variables: [Variable], else plain: WireRequest) -> String {
    guard let wire else { return plain.curl(redactor) }
    let command = wire.curl(redactor, variables: variables.map { ($0.digits, $0.name) })
    return variables.allSatisfy { command.contains("${\($0.name)}") } ? command : plain.curl(redactor)
  }

  /// A name for a variable that is neither used nor one of the shell: `petId`, `owner_id`, `id2`.
  private func name(like text: String) -> String {
    var name = String(
      decoding: text.utf8.map { PercentEncoding.isUnreserved($0) && $0 != 45 && $0 != 46 && $0 != 126 ? $0 : 95 },
      as: UTF8.self)
    if name.utf8.allSatisfy({ !(97...122 ~= $0) }) { name = name.lowercased() }
    if name.utf8.first.map({ 48...57 ~= $0 }) ?? true { name = "id" + name }
    if !name.lowercased().hasSuffix("id") { name += "_id" }
    let used = creations.compactMap { $0.variable?.name }
    var unique = name
    var number = 2
    while used.contains(unique) {
      unique = "\(name)\(number)"
      number += 1
    }
    return unique
  }
}
