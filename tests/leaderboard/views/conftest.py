"""What every test of a page needs."""

import re
from html import unescape

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from tests.workers import small

TAGS = re.compile(r"<[^>]*>")


@pytest.fixture(autouse=True)
def ready(settings: Settings) -> None:
    settings.STATIC_ROOT.mkdir(exist_ok=True)  # or WhiteNoise warns
    small.give_keys(settings)


def text_of(response: HttpResponse) -> str:
    """A page without its tags, with single spaces."""
    return " ".join(unescape(TAGS.sub(" ", response.content.decode())).split())
