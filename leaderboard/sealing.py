"""Hidden test sets at rest: age (X25519) encryption, opened by workers only.

The web tier knows the recipient (a public key). The identity is a file that only
worker processes are told of, so a compromised web tier cannot read an answer.
"""

from pathlib import Path

import pyrage
from django.conf import settings

from leaderboard.refusals import Refused


def seal(data: bytes) -> bytes:
    """Encrypt to the configured recipient."""
    if not settings.SEAL_RECIPIENT:
        raise Refused(
            "not_configured", "set EGOBOARD_SEAL_RECIPIENT to an age recipient"
        )
    recipient = pyrage.x25519.Recipient.from_str(settings.SEAL_RECIPIENT)
    sealed: bytes = pyrage.encrypt(data, [recipient])
    return sealed


def unseal(data: bytes) -> bytes:
    """Decrypt with the worker's identity."""
    if not settings.SEAL_IDENTITY_FILE:
        raise Refused("not_a_worker", "only workers may open a hidden test set")
    text = Path(settings.SEAL_IDENTITY_FILE).read_text(encoding="ascii").strip()
    opened: bytes = pyrage.decrypt(data, [pyrage.x25519.Identity.from_str(text)])
    return opened
