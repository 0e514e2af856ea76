import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Small models answer faster on one thread, above all where cores are shared."""
    with threadpool_limits(1):
        yield
