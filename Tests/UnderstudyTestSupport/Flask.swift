import Foundation

/// Flask, from PyPI: a server from outside of the project.
package enum Flask {
  /// A Python with Flask, installed below `.build` at its first use; `nil` without Python or access to PyPI.
  package static let python: String? = {
    guard let python = PythonServer.path else { return nil }
    let folder = Project.path(".build/flask")
    let own = folder + "/bin/python"
    for candidate in [own, python] where works(candidate, ["-c", "import flask"]) { return candidate }
    guard works(python, ["-m", "venv", folder]), works(own, ["-m", "pip", "install", "--quiet", "flask==3.1.2"]) else {
      return nil
    }
    return own
  }()

  package static var isPresent: Bool { python != nil }

  private static func works(_ program: String, _ arguments: [String]) -> Bool {
    guard FileManager.default.isExecutableFile(atPath: program) else { return false }
    return (try? Command.run(program, arguments))?.code == 0
  }
}

/// The library with ten planted bugs, `Tests/PlantedBugs/app.py`.
package enum PlantedBugs {
  package static let contract = Project.path("Tests/PlantedBugs/openapi.yaml")

  package static func start(isFixed: Bool) throws -> PythonServer {
    try PythonServer(
      python: Flask.python ?? "/usr/bin/python3", [Project.path("Tests/PlantedBugs/app.py")],
      environment: ["FIXED": isFixed ? "1" : "0"])
  }
}
