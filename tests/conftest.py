"""What holds for all tests: property tests look for wrong answers, however long a busy machine takes for one."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
