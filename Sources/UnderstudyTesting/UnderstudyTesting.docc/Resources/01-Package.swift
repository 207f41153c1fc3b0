// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hours",
  platforms: [.macOS(.v15)],
  // A checkout beside this package.
  dependencies: [.package(name: "understudy", path: "../understudy")],
  targets: [
    .target(name: "HoursClient"),
    .testTarget(
      name: "HoursClientTests",
      dependencies: ["HoursClient", .product(name: "UnderstudyTesting", package: "understudy")]),
  ]
)
