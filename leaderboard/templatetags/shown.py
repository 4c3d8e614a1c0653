"""How times, counts and texts are written on pages."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
BACKTICKS = re.compile(r"`([^`\n]+)`")


@register.simple_tag
def when(moment: datetime | None, zone: str = "UTC", empty: str = "\N{EN DASH}") -> str:
    """A `<time>` element in a time zone that is named; `empty` for no time."""
    if moment is None:
        return empty
    local = moment.astimezone(ZoneInfo(zone))
    text = f"{local.day} {local:%b %Y, %H:%M} {zone}"
    return _time(moment, text)


@register.simple_tag
def day(moment: datetime | None, empty: str = "\N{EN DASH}") -> str:
    """A `<time>` element with the day only, in UTC; `empty` for no time."""
    if moment is None:
        return empty
    local = moment.astimezone(UTC)
    return _time(moment, f"{local.day} {local:%b %Y}")


@register.filter
def plural(count: int, noun: str) -> str:
    """A count with its noun: `1 submission`, `1,204 submissions`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


@register.filter
def code(text: str) -> SafeString:
    """A text of a suite: harmless, with what stands between backticks as code."""
    return mark_safe(BACKTICKS.sub(r"<code>\1</code>", escape(text)))  # noqa: S308


def _time(moment: datetime, text: str) -> SafeString:
    stamp = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return format_html('<time datetime="{}" title="{}">{}</time>', stamp, stamp, text)
