"""The version of dlbricks, in a module that imports nothing: whoever asks for it does not import the API."""

__version__ = "0.1.0"
