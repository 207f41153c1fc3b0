import JSONSchema
import SourceText
import Synchronization

/// A schema that is compiled when it is first asked: a large contract has thousands, a client meets a few.
///
/// Two threads may do the same work once. That is cheaper than a lock, for which all would wait at every request.
final class LazySchema: Sendable {
  let node: JSON
  let direction: Direction
  let library: SchemaLibrary
  /// Holds a reference of its own. (`AtomicLazyReference` does the same, many times as slowly.)
  private let compiled = Atomic<Unmanaged<Schema>?>(nil)
  /// The raw value of the traits; -1 until they are known.
  private let known = Atomic<Int>(-1)

  init(_ node: JSON, _ library: SchemaLibrary, _ direction: Direction) {
    self.node = node
    self.library = library
    self.direction = direction
  }

  deinit { compiled.load(ordering: .acquiring)?.release() }

  var schema: Schema {
    if let known = compiled.load(ordering: .acquiring) { return known.takeUnretainedValue() }
    let new = library.schema(at: node, direction: direction)
    let reference = Unmanaged.passRetained(new)
    let (isFirst, _) = compiled.compareExchange(expected: nil, desired: reference, ordering: .acquiringAndReleasing)
    if !isFirst { reference.release() }
    return new
  }

  /// Which annotations stand anywhere in it.
  var traits: SchemaTraits {
    if let value = UInt8(exactly: known.load(ordering: .relaxed)) { return SchemaTraits(rawValue: value) }
    let traits = SchemaTraits(of: node, resolve: library.target(ofReference:))
    known.store(Int(traits.rawValue), ordering: .relaxed)
    return traits
  }
}
