package import UnderstudyServer

extension ConsoleFile {
  /// All files of `Web`: a new one is listed here.
  ///
  /// The build writes them into the program: with a folder of resources beside it, a program that is copied would stop
  /// working. They take seconds to compile, so this module is not a part of what tests depend on.
  package static let all = [
    ConsoleFile("index.html", "text/html", PackageResources.index_html),
    ConsoleFile("api.js", "text/javascript", PackageResources.api_js),
    ConsoleFile("code.js", "text/javascript", PackageResources.code_js),
    ConsoleFile("console.css", "text/css", PackageResources.console_css),
    ConsoleFile("dom.js", "text/javascript", PackageResources.dom_js),
    ConsoleFile("editor.js", "text/javascript", PackageResources.editor_js),
    ConsoleFile("lanes.js", "text/javascript", PackageResources.lanes_js),
    ConsoleFile("log.js", "text/javascript", PackageResources.log_js),
    ConsoleFile("machine.js", "text/javascript", PackageResources.machine_js),
    ConsoleFile("main.js", "text/javascript", PackageResources.main_js),
    ConsoleFile("matrix.js", "text/javascript", PackageResources.matrix_js),
    ConsoleFile("message.js", "text/javascript", PackageResources.message_js),
    ConsoleFile("try.js", "text/javascript", PackageResources.try_js),
  ]
}
