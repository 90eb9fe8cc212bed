"""The local fake of the Social Activity Feed Service, for the tests of a client.

    from socialfeed_refserver import create_fake

    with create_fake(seed="demo") as fake:
        MyClient(fake.url, fake.token).feed()
        fake.journal.wait_for(endpoint=21)

The pytest plugin has it as the fixture ``fake``.
"""

from ._control import Clock, Entry, Journal, RefserverError, Why, World, WorldView
from ._fake import Fake, create_fake

__all__ = ["Clock", "Entry", "Fake", "Journal", "RefserverError", "Why", "World", "WorldView", "create_fake"]
