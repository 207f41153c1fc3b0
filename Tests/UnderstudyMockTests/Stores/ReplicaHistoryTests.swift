import Dispatch
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Histories of concurrent clients of one lane over three replicas.
struct ReplicaHistoryTests {
  /// The lane as one process would have it.
  private struct Model: SequentialModel {
    enum Operation: Sendable {
      case add(String)
      case list
      case status
      case force(Int?)
    }

    enum Result: Equatable, Sendable {
      case done
      case status(Int)
      case notes([String])
    }

    private var notes: [String] = []
    private var forced: Int?

    mutating func apply(_ operation: Operation) -> Result {
      switch operation {
      case .add(let text):
        notes.append(text)
        return .done
      case .list: return .notes(notes)
      case .status: return .status(forced ?? 200)
      case .force(let status):
        forced = status
        return .done
      }
    }
  }

  private static func perform(_ operation: Model.Operation, at replica: ReplicaProcess) -> Model.Result? {
    do {
      switch operation {
      case .add(let text): return try replica.add(text).status == 201 ? .done : nil
      case .list:
        let reply = try replica.notes()
        guard reply.status == 200, let root = try? JSONParser.parse(reply.body).root else { return nil }
        return .notes(root.elements.map { $0["text"]?.text ?? "" })
      case .status:
        let reply = try replica.send(.get, "/status")
        return reply.isAboutMock ? nil : .status(reply.status)
      case .force(let status):
        try replica.force(status)
        return .done
      }
    } catch {
      return nil
    }
  }

  /// - Parameters:
  ///   - lost: The share of writes whose acknowledgement is lost, in percent.
  ///   - clients: The number of clients, each of which sends its requests to the replicas in turn.
  private static func history(
    seed: UInt64, of mock: Mock, lost: Int = 0, clients: Int = 3, calls: Int = 5
  ) throws -> CallHistory<Model> {
    let store = FakeReplicaStore(seed: seed)
    let replicas = try (0..<3).map { _ in try ReplicaProcess(store, mock) }
    store.state.withLock { ($0.conflicts, $0.lostAcknowledgements) = (20, lost) }
    let order = Atomic(0)
    let history = Mutex(CallHistory<Model>())
    let threads = DispatchGroup()
    for client in 0..<clients {
      DispatchQueue(label: "client").async(group: threads) {
        var random = RepeatableGenerator(state: seed &* 31 &+ UInt64(client))
        for call in 0..<calls {
          let operation: Model.Operation =
            switch random.next() % 8 {
            case 0, 1: .add("\(client).\(call)")
            case 2, 3: .list
            case 4: .force(503)
            case 5: .force(nil)
            default: .status
            }
          let replica = replicas[Int(random.next() % 3)]
          let begin = order.add(1, ordering: .sequentiallyConsistent).newValue
          let result = perform(operation, at: replica)
          let end = order.add(1, ordering: .sequentiallyConsistent).newValue
          history.withLock { $0.add(operation, result, from: begin, to: end) }
        }
      }
    }
    threads.wait()
    return history.withLock { $0 }
  }

  @Test func `histories over three replicas are linearizable`() throws {
    let mock = try ReplicaProcess.mock()
    for seed in 1...40 {
      let history = try Self.history(seed: UInt64(seed), of: mock)
      #expect(history.isLinearizable(from: Model()), "seed \(seed)\n\(history)")
    }
  }

  @Test func `histories with lost acknowledgements are linearizable`() throws {
    let mock = try ReplicaProcess.mock()
    for seed in 1...10 {
      let history = try Self.history(seed: UInt64(seed), of: mock, lost: 15)
      #expect(history.isLinearizable(from: Model()), "seed \(seed)\n\(history)")
    }
  }

  @Test func `the checker finds a read that is out of date`() throws {
    let store = FakeReplicaStore()
    let (good, bad) = (try ReplicaProcess(store), try ReplicaProcess(store, with: .staleReads))
    let history = Self.sequence([
      (.add("a"), bad), (.list, bad), (.add("b"), good), (.list, bad),
    ])
    #expect(!history.isLinearizable(from: Model()), "\(history)")
  }

  @Test func `the checker finds an effect that a lost acknowledgement doubles`() throws {
    let store = FakeReplicaStore(seed: 3)
    let bad = try ReplicaProcess(store, with: .doubledEffects)
    store.state.withLock { $0.lostAcknowledgements = 50 }
    let adds = (0..<8).map { (Model.Operation.add("\($0)"), bad) }
    let history = Self.sequence(adds + [(.list, bad)])
    #expect(!history.isLinearizable(from: Model()), "\(history)")
  }

  @Test func `the checker finds an admin change that a replica sees late`() throws {
    let store = FakeReplicaStore()
    let (good, bad) = (try ReplicaProcess(store), try ReplicaProcess(store, with: .lateChanges))
    let history = Self.sequence([(.status, bad), (.force(503), good), (.status, good), (.status, bad)])
    #expect(!history.isLinearizable(from: Model()), "\(history)")
  }

  @Test func `calls without an outcome may take effect or not`() {
    var history = CallHistory<Model>()
    history.add(.add("a"), nil, from: 1, to: 2)
    history.add(.list, .notes([]), from: 3, to: 4)
    history.add(.list, .notes(["a"]), from: 5, to: 6)
    #expect(history.isLinearizable(from: Model()))
    history.add(.list, .notes([]), from: 7, to: 8)
    #expect(!history.isLinearizable(from: Model()))
  }

  private static func sequence(_ calls: [(Model.Operation, ReplicaProcess)]) -> CallHistory<Model> {
    var history = CallHistory<Model>()
    for (index, (operation, replica)) in calls.enumerated() {
      history.add(operation, perform(operation, at: replica), from: 2 * index, to: 2 * index + 1)
    }
    return history
  }
}
