/// Compares the objects that two alternatives accept.
struct ObjectComparison {
  let pair: VariantComparison
  var x: SchemaVariant { pair.x }
  var y: SchemaVariant { pair.y }

  /// Small objects of the tested alternative, made at the first need.
  var bases: [JSON] { pair.bases }

  init(_ pair: VariantComparison) { self.pair = pair }

  func differences() -> [SchemaDifference] {
    required() + properties() + others() + names() + counts() + dependents()
  }

  // MARK: - Required properties

  private func required() -> [SchemaDifference] {
    let own = Set(x.requirements.map { Array($0.name.utf8) })
    return y.requirements.filter { !own.contains(Array($0.name.utf8)) }.prefix(Self.maximumDifferences).map {
      name, node in
      let hasDefault = y.declarations(of: name).contains {
        $0.isObject && pair.sup.library.resolved($0).chain.contains { $0["default"] != nil }
      }
      return SchemaDifference(
        hasDefault ? .requiredDefault : .required, name, sub: subNode(of: name) ?? pair.subNode(.required), sup: node,
        words: (x.declares(name) ? "optional" : nil, "required"), candidates: bases.map { $0.removing(name) })
    }
  }

  private func subNode(of name: String) -> JSON? { x.declarations(of: name).first }

  // MARK: - Properties

  private func properties() -> [SchemaDifference] {
    var repetitions: [SchemaDifference.Identity: Int] = [:]
    var failures = 0
    return (x.declaredNames + y.declaredNames).unique().flatMap { name -> [SchemaDifference] in
      let (a, b) = (x.schemas(of: name), y.schemas(of: name))
      let (given, accepted) = (x.declarations(of: name).first, y.declarations(of: name).first)
      guard !a.contains(where: { $0.bool == false }) else { return [] }
      // A value without the property is the same on both sides.
      if pair.sub.isHidden(a) { return [] }
      if pair.sup.isHidden(b) {
        return given == nil ? [] : [SchemaDifference(.hidden, name, sub: given, sup: accepted, verdict: .stated)]
      }
      if b.contains(where: { $0.bool == false }) {
        let values = pair.sub.samples(of: a)
        let isOwn = given != nil
        return [
          SchemaDifference(
            isOwn ? .propertyClosed : .additional, name, sub: given ?? x.node, sup: b.first { $0.bool == false },
            candidates: embed(values, as: name))
        ]
      }
      // A schema of many properties has each of its differences in a few of them.
      let found = pair.comparison.differences(a, b).filter { difference in
        repetitions[difference.identity, default: 0] += 1
        failures += difference.isFailure ? 1 : 0
        return repetitions[difference.identity, default: 0] <= Self.maximumRepetitions
          && failures <= Self.maximumDifferences
      }
      if let given, accepted == nil {
        let open = SchemaDifference(
          .propertyOpen, name, sub: given, sup: y.keyword(.properties) ?? y.node, verdict: .stated)
        return [open] + lifted(found, name)
      }
      if given == nil, let accepted, a.isEmpty {
        // Where only one side requires the property, that is the difference.
        return y.requires(name) && !x.requires(name) ? [] : [undeclared(name, accepted, found)]
      }
      return lifted(found, name)
    }
  }

  /// A property that the tested side leaves open, by silence.
  private func undeclared(
    _ name: String, _ accepted: JSON, _ found: [SchemaDifference]
  ) -> SchemaDifference {
    let witnesses = found.compactMap(\.witness)
    let isBroken = found.contains(where: \.isFailure)
    return SchemaDifference(
      .propertyUndeclared, name, sub: x.node, sup: accepted,
      words: (x.isExplicitlyOpen ? "any" : nil, nil), verdict: isBroken ? .undecided : .stated,
      candidates: embed(witnesses, as: name))
  }

  private func lifted(_ found: [SchemaDifference], _ name: String) -> [SchemaDifference] {
    found.map { difference in difference.lifted(to: name) { embed([$0], as: name) } }
  }

  /// The maximum number of differences of one kind, beyond which a pair is not searched for more.
  private static let maximumDifferences = 100
  /// The maximum number of properties that show one difference of a schema.
  private static let maximumRepetitions = 3

  // MARK: - Values

  /// Objects with a value under a name.
  func embed(_ values: [JSON], as name: String) -> [JSON] {
    values.flatMap { value in (bases + [[:]]).map { $0.setting(name, to: value) } }
  }

  /// A name that no keyword of either side mentions.
  var freshNames: [String] {
    let known = Set(x.declaredNames + y.declaredNames)
    let patterns = (x.patternMembers + y.patternMembers).map(\.name)
    let isFree = { (name: String) in
      !known.contains(name)
        && !patterns.contains { pattern in
          (pair.sub.pattern(pattern) ?? pair.sup.pattern(pattern))?.matches(name) != .no
        }
    }
    let matching = x.all(.propertyNames).compactMap { pair.sub.samples(of: [$0], types: .string).first?.string }
    return (["other", "another", "x", "1", "A_b-1"] + matching).filter(isFree)
  }
}

extension JSON {
  /// The object with one member set.
  func setting(_ name: String, to value: JSON) -> JSON {
    var members = members.map { ($0.name, $0.value) }
    if let position = members.firstIndex(where: { $0.0.utf8Equals(name) }) {
      members[position].1 = value
    } else {
      members.append((name, value))
    }
    return .object(members)
  }

  /// The object without a member.
  func removing(_ name: String) -> JSON {
    .object(members.filter { !$0.name.utf8Equals(name) }.map { ($0.name, $0.value) })
  }
}
