"""Starts a fake, says where it is, and waits to be killed."""

import time

from socialfeed_refserver import create_fake

fake = create_fake()
print(fake.url, flush=True)
while True:
    time.sleep(1)
