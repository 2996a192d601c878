"""What the drill screen is made of: the controller, the grader beside the app, editor and pages."""
