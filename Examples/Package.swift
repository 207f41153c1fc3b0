// swift-tools-version: 6.2
import PackageDescription

/// Clients of the contract `specs/slp.yaml` with their tests. One package, so that the server is built
/// once; it stands apart from `Tests/Consumer`, since a reader runs it and copies its manifest.
let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "SLPClient", targets: ["SLPClient"]),
    // Tests/Consumer catches their bugs too.
    .library(name: "BuggyClients", targets: ["BuggyClients"]),
  ],
  traits: [.trait(name: "TLS", description: "Builds Understudy with its trait.")],
  dependencies: [
    .package(name: "understudy", path: "..", traits: [.trait(name: "TLS", condition: .when(traits: ["TLS"]))])
  ],
  targets: [
    .target(name: "SLPClient", path: "SLPClient/Sources"),
    .testTarget(
      name: "SLPClientTests",
      dependencies: ["SLPClient", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "SLPClient/Tests"),
    .target(name: "BuggyClients", path: "BuggyClients/Sources"),
    .testTarget(
      name: "BuggyClientsTests",
      dependencies: ["BuggyClients", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "BuggyClients/Tests"),
    .target(name: "HoursClient", path: "Hours/Sources"),
    .testTarget(
      name: "HoursClientTests",
      dependencies: ["HoursClient", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "Hours/Tests"),
    .target(name: "HoursDraft", path: "Hours/Draft"),
    .testTarget(
      name: "HoursDraftTests",
      dependencies: ["HoursDraft", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "Hours/DraftTests"),
  ]
)
