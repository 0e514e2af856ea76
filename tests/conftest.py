"""The same examples in every run, as every other draw of these tests has its seed."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True)
settings.load_profile("fixed")
