import UnderstudyMock

/// Requests to resources of the admin API that take no parameters.
protocol ParameterlessRoutes {
  var admin: AdminRequest { get }

  init(admin: AdminRequest)
}

extension ParameterlessRoutes {
  init(_ admin: AdminRequest) throws(LaneProblem) {
    try admin.requireParameters([])
    self.init(admin: admin)
  }

  var mock: Mock { admin.mock }
}
