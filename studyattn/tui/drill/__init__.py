"""The parts of the drill screen: the controller, the grader beside the app, editor and pages."""
