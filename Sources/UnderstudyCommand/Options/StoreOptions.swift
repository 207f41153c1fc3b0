import ArgumentParser
import UnderstudyMock
import UnderstudyStore
import UnderstudyVerification

/// The store of the lanes of a mock.
struct StoreOptions: ParsableArguments {
  @Option(
    \.store, value: "address",
    help: """
      Keep the state of all lanes outside of the process: in an SQLite file, lanes.db, or in a PostgreSQL database, \
      postgresql://USER@HOST/DATABASE.
      """)
  var store: String?

  func address(_ configuration: Configuration) throws -> StoreAddress? {
    guard let setting = Setting(\.store, flag: store, configuration) else { return nil }
    let address: StoreAddress
    do throws(LaneProblem) {
      address = try StoreAddress(setting.text)
    } catch {
      throw CommandFailure(.usage, error.message, help: error.help)
    }
    guard case .file(let path) = address else { return address }
    let folder = Path.folder(of: path)
    guard folder.isEmpty || FileSystem.isFolder(folder) else {
      throw CommandFailure(
        .usage, "the folder of \(setting.phrase) does not exist: \(folder)",
        help: "create it: mkdir -p \(ShellQuoting().word(folder))")
    }
    return address
  }

  /// Reads the setting in the config file, whose folder a path begins at.
  static func setting(_ node: JSON, _ reader: SettingsReader) -> Setting.Written? {
    guard let written = reader.setting(node) else { return nil }
    guard case .file(let path)? = try? StoreAddress(written.text) else { return written }
    return Setting.Written(text: "sqlite:" + reader.path(path), location: written.location)
  }
}
