// Written by Scripts/embed-console.

extension ConsoleFile {
  /// All files of the console.
  package static let all = [
    apiScript,
    codeScript,
    consoleStyle,
    domScript,
    indexPage,
    lanesScript,
    logScript,
    machineScript,
    mainScript,
    matrixScript,
    messageScript,
    tryScript,
  ]
}
