public import UnderstudyClient
import UnderstudyMock
import UnderstudyReport
import UnderstudySystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Sweep {
  /// The cells that the client got from a mock in this process, as `understudy coverage` shows them.
  public var coverage: String { CoverageMatrix(counted, style: .plain).text }

  /// The cells as a JSON report, for `understudy coverage merge`.
  ///
  /// Where the environment variable `UNDERSTUDY_COVERAGE` names a folder, each sweep writes the report to a file there.
  public var coverageReport: String {
    var run = Report.Run(
      "sweep", contracts: contracts.map(Self.file), target: "\(record.location.fileID):\(record.location.line)",
      startedAt: Timestamp.text(microseconds: Int(record.startedAt.timeIntervalSince1970 * 1_000_000)))
    (run.seed, run.duration) = (record.seed, record.duration)
    var report = Report(run)
    report.coverage = counted
    return JSONReport.text(report, ReportContext(allowsEmpty: true))
  }

  private var mock: UnderstudyMock.Mock? { (record.mock.transport as? InProcessMock)?.mock }
  private var contracts: [Contract] { mock?.contracts ?? [] }

  private var counted: Coverage {
    var coverage = SweepCoverage(contracts.map(\.compiled))
    coverage.count(
      record.cells.map { cell in
        let id = cell["operation"]?.string
        return SweptRequest(
          name: id ?? "", operation: mock?.operations.firstIndex { $0.id == id }, status: cell["status"]?.int,
          requestType: cell["requestType"]?.string, responseType: cell["responseType"]?.string)
      })
    return coverage.coverage
  }

  /// The file of a contract below the working folder, as the command names it.
  private static func file(of contract: Contract) -> Report.ContractFile {
    var file = Report.ContractFile(contract)
    file.path = RepositoryPaths(workingFolder: FileSystem.workingFolder, root: FileSystem.workingFolder).path(file.path)
    return file
  }
}
