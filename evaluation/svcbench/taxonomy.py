"""The eight kinds of counting question, and which metrics read them."""

TYPES = ("O1", "O2", "E1", "E2")
SUBTYPES = (
    "O1-Snap",
    "O1-Delta",
    "O2-Unique",
    "O2-Gain",
    "E1-Action",
    "E1-Transit",
    "E2-Episode",
    "E2-Periodic",
)
# The truth of these can only grow; the released script computes MoC for just these.
MONOTONE = frozenset(
    {"O2-Unique", "E1-Action", "E1-Transit", "E2-Episode", "E2-Periodic"}
)
UPDATING = MONOTONE | {"O1-Snap"}  # the ones that UDA reads
SINGLE = frozenset({"O1-Delta", "O2-Gain"})  # asked at one moment only


def type_of(subtype: str) -> str:
    """O1, O2, E1 or E2."""
    return subtype.partition("-")[0]
