"""API tokens: made, shown once, revoked."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from leaderboard import tokens as verbs
from leaderboard.forms.tokens import TokenForm
from leaderboard.models import ApiToken
from leaderboard.refusals import Refused
from leaderboard.views import scopes


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    form, text = TokenForm(scopes.member(request), request.POST or None), ""
    if form.is_valid():
        try:
            _, text = verbs.create(user=scopes.member(request), **form.cleaned_data)
            form = TokenForm(scopes.member(request))
        except Refused as refusal:
            form.add_error(None, refusal.message)
    context = {"form": form, "text": text, "tokens": _own(request)}
    return render(request, "tokens.html", {**context, "now": timezone.now()})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def token_revoke(request: HttpRequest, token: UUID) -> HttpResponse:
    found = get_object_or_404(_own(request), public_id=token)
    if request.method != "POST":
        return render(request, "revoke.html", {"token": found})
    verbs.revoke(found, scopes.member(request))
    messages.success(request, f"“{found.name}” no longer works.")
    return redirect("tokens")


def _own(request: HttpRequest) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=scopes.member(request)).select_related("team")
