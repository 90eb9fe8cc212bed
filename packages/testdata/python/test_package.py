"""What the package promises beside what its users' tests need."""

import os
import ssl
import sys
import unittest
import urllib.request
from datetime import datetime, timezone

from socialfeed_refserver import RefserverError, create_fake


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


class PackageTest(unittest.TestCase):
    def test_process_is_gone_after_close(self) -> None:
        fake = create_fake()
        self.assertTrue(alive(fake.pid))
        fake.close()
        fake.close()
        self.assertFalse(alive(fake.pid))

    def test_https(self) -> None:
        with create_fake(tls=True) as fake:
            context = ssl.create_default_context(cafile=fake.ca_file)
            request = urllib.request.Request(fake.url + "/versions", headers={"User-Agent": "tests/1"})
            with urllib.request.urlopen(request, context=context) as answer:
                self.assertEqual(200, answer.status)
            self.assertIn("BEGIN CERTIFICATE", fake.ca or "")

    @unittest.skipUnless(sys.platform == "linux", "there is no /proc")
    def test_no_token_stands_on_the_command_line(self) -> None:
        with create_fake(seed="demo") as fake:
            with open(f"/proc/{fake.pid}/cmdline", encoding="utf-8") as file:
                line = file.read()
            self.assertIn("--seed=demo", line)
            for token in (fake.token, fake.second_token, fake.control_token):
                self.assertNotIn(token, line)

    def test_mistakes_say_what_is_wrong(self) -> None:
        with self.assertRaisesRegex(RefserverError, 'no dialect "klingon"'):
            create_fake(dialect="klingon")
        with self.assertRaisesRegex(RefserverError, "starting refserver"):
            create_fake(binary="/nowhere/refserver")
        with create_fake() as fake:
            with self.assertRaisesRegex(RefserverError, '400 weather "rain"'):
                fake.weather("rain")
            with self.assertRaisesRegex(RefserverError, "0 of 2 requests with endpoint=18 came within 100ms"):
                fake.journal.wait_for(endpoint=18, count=2, timeout="100ms")

    def test_settings_reach_the_server_and_a_reset_takes_all_back(self) -> None:
        at = datetime(2040, 1, 31, 12, tzinfo=timezone.utc)
        with create_fake(clock=at, seed="users: [{user_name: ada}]", choose={"lag": "1h"}, weather=["500"], args=["--max-memory", "1GiB"]) as fake:
            begun = fake.view()
            self.assertEqual(({"lag": "1h"}, ["500"], True, 1), (begun["choose"], begun["weather"], begun["frozen"], begun["holds"]["users"]))
            fake.clock.advance("1h")
            self.assertEqual(at.replace(hour=13), fake.clock.now())
            fake.clock.freeze(at.replace(hour=14))
            fake.clock.run()
            fake.seed("demo:users=5,events=10")
            fake.weather()
            fake.change(dialect="uuid-ids", faults=[])
            self.assertEqual(5, fake.view()["holds"]["users"])
            world = fake.open_world(seed="demo:users=3,events=5", dialect="lagging")
            self.assertEqual(3, world.view()["holds"]["users"])
            self.assertNotEqual(fake.token, world.token)
            fake.reset()
            self.assertEqual(begun, fake.view())
            self.assertIn("faults", fake.control("GET", "/v1/faults"))


if __name__ == "__main__":
    unittest.main()
