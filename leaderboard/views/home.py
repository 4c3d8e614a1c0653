"""The front page: what this is, the tracks and how to submit."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from leaderboard.views.cards import track_cards


def home(request: HttpRequest) -> HttpResponse:
    cards = track_cards(timezone.now())
    context = {
        "cards": cards,
        "example": next((card.phase for card in cards if card.phase), None),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "home.html", context)
