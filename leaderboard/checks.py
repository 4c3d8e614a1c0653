"""System checks: settings that must hold together."""

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def limits_are_ordered(app_configs: object, **_: object) -> list[CheckMessage]:
    """soft limit < hard limit < lease < visibility timeout.

    Otherwise a shard could be given to a second worker while the first still works on
    it, or its message be delivered again.
    """
    names = (
        "SOFT_LIMIT_SECONDS",
        "HARD_LIMIT_SECONDS",
        "LEASE_SECONDS",
        "VISIBILITY_SECONDS",
    )
    values = [getattr(settings, name) for name in names]
    if values == sorted(set(values)):
        return []
    stated = ", ".join(
        f"{name}={value}" for name, value in zip(names, values, strict=True)
    )
    return [Error(f"These must grow from left to right: {stated}", id="egoboard.E001")]
