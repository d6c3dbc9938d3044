"""What holds for all tests: property tests look for wrong answers, however long a busy machine takes for one."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
