// Written by Scripts/embed-console.

extension ConsoleFile {
  /// All files of the console.
  package static let all = [
    apiScript,
    consoleStyle,
    domScript,
    indexPage,
    lanesScript,
    logScript,
    mainScript,
    matrixScript,
  ]
}
