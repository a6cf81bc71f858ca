"""Things that tests share and that take long to make, such as fields: not made while tests are collected."""


class WhenAsked(dict):
    """Makes each thing when it is first asked for by its name, and keeps it."""

    def __init__(self, make):
        super().__init__()
        self._make = make

    def __missing__(self, name):
        self[name] = self._make(name)
        return self[name]
