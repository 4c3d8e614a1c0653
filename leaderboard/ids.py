"""Public identifiers: UUID version 7, so that they sort by time."""

import uuid

import uuid_utils.compat


def uuid7() -> uuid.UUID:
    return uuid_utils.compat.uuid7()
