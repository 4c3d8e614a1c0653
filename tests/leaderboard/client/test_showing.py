"""What others wrote cannot steer one's terminal; the client stands alone."""

import subprocess
import sys

from leaderboard.client import showing


def test_text_from_elsewhere_is_harmless() -> None:
    assert showing.plain("a\x1b[31m\n[red]") == "a�[31m�\\[red]"


def test_the_client_needs_nothing_of_the_server() -> None:
    code = (
        "import sys, leaderboard.client.cli\n"
        "ours = {m for m in sys.modules if m.startswith(('leaderboard', 'evaluation'))}\n"
        "print(sorted(m for m in ours if not m.startswith('leaderboard.client')))\n"
        "print('django' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout.splitlines() == ["['leaderboard']", "False"]
