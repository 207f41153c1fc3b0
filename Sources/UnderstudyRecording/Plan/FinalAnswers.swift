/// The recordings of one contract as they are written: without the secrets that were found since, with placeholders for
/// generated ids, each answer once, under the name of what it is now.
struct FinalAnswers {
  private(set) var recordings: [OperationRecording]
  private let settings: RecordingSettings

  /// - Parameters:
  ///   - recordings: In the order of the contract.
  ///   - volatile: What a second pass found, by the id of the operation.
  ///   - distinguished: The ids of operations that keep responses which differ only by values.
  init(
    _ recordings: [OperationRecording], _ settings: RecordingSettings, _ redactor: inout RecordingRedactor,
    volatile: [String: VolatileOperation], distinguishing distinguished: Set<String>
  ) {
    self.recordings = recordings
    self.settings = settings
    for index in recordings.indices {
      let operation = recordings[index].operation.operation
      self.recordings[index].dropAlternatives(keepingFew: distinguished.contains(recordings[index].operation.id))
      self.recordings[index].replaceAnswers { redactor.redact($0, of: operation) }
    }
    if settings.writesTemplates { addPlaceholders(&redactor, volatile) }
    for index in recordings.indices { self.recordings[index].settleAnswers() }
  }

  /// The conditions of an operation's answers, without those that show a secret.
  func matchers(
    of recording: OperationRecording, _ redactor: inout RecordingRedactor
  ) -> [OperationRecording.AnswerID: RequestMatcher] {
    settings.infersWhen ? recording.matchers().filter { !redactor.hasSecret($0.value) } : [:]
  }

  private mutating func addPlaceholders(_ redactor: inout RecordingRedactor, _ volatile: [String: VolatileOperation]) {
    var planned: [PlannedFixture] = []
    for recording in recordings { planned += recording.fixtures(matchers(of: recording, &redactor)) }
    let ids = GeneratedIDs(planned)
    for index in recordings.indices {
      let operation = recordings[index].operation
      recordings[index].replaceAnswers { answer in
        var answer = answer
        let fixture = PlannedFixture(operation: operation, status: answer.status, answer: answer)
        let places = volatile[operation.id]?[answer.status] ?? VolatilePointers()
        answer.template = ids.template(of: fixture, volatile: places) ?? answer.template
        return answer
      }
    }
  }
}
