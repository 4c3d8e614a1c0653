"""What a team can do with its submission: show it, hide it, withdraw it."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from leaderboard import submissions
from leaderboard.refusals import Refused
from leaderboard.views import scopes


@login_required
@require_POST
def submission_publish(request: HttpRequest, pk: UUID) -> HttpResponse:
    found = scopes.own(scopes.member(request), pk)
    is_public = request.POST.get("is_public") == "1"
    submissions.set_public(found, scopes.member(request), is_public)
    said = "It now stands on the board." if is_public else "It is now private."
    messages.success(request, said)
    return redirect("submission", pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submission_withdraw(request: HttpRequest, pk: UUID) -> HttpResponse:
    found = scopes.own(scopes.member(request), pk)
    if request.method != "POST":
        return render(request, "withdraw.html", {"submission": found})
    try:
        submissions.withdraw(found, scopes.member(request))
        messages.success(request, f"“{found.method}” is withdrawn.")
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("submission", pk)
