"""The submit page, and its check before anything counts."""

from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from evaluation import SUITES
from evaluation.suite import AnySuite
from leaderboard import dry_runs, quota, submissions, teams
from leaderboard.boards import active_test_set
from leaderboard.forms.submissions import FileForm, SubmissionForm
from leaderboard.models import Phase, Submission
from leaderboard.refusals import Refused
from leaderboard.views import scopes


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
def submission_create(request: HttpRequest, track: str, phase: str) -> HttpResponse:
    found, user = scopes.phase(track, phase), scopes.member(request)
    if request.method != "POST":
        return _page(request, found, SubmissionForm(user, suite_of(found)))
    if request.POST.get("action") == "check":
        return _check(request, found)
    form = SubmissionForm(user, suite_of(found), request.POST, request.FILES)
    if form.is_valid():
        try:
            return redirect("submission", _submit(found, user, form).pk)
        except Refused as refusal:
            form.add_error(None, refusal.message)
    return _page(request, found, form, status=422)


def suite_of(phase: Phase) -> AnySuite:
    return SUITES[phase.track.suite]


def _submit(phase: Phase, user: User, form: SubmissionForm) -> Submission:
    return submissions.submit(
        phase=phase,
        team=form.cleaned_data["team"],
        user=user,
        upload=form.cleaned_data["upload"],
        entry=form.entry(),
        idempotency_key=form.idempotency_key(phase),
    )


def _check(request: HttpRequest, phase: Phase) -> HttpResponse:
    file, outcome = FileForm(request.POST, request.FILES), None
    if file.is_valid():
        try:
            outcome = dry_runs.check(phase, file.cleaned_data["upload"])
        except Refused as refusal:
            file.add_error("upload", refusal.message)
    found: dict[str, object] = {"outcome": outcome, "checked": file}
    if request.headers.get("HX-Request"):
        return render(request, "submit.html#outcome", found)
    said = {**request.POST.dict(), "is_public": "is_public" in request.POST}
    form = SubmissionForm(scopes.member(request), suite_of(phase), initial=said)
    return _page(request, phase, form, found=found)


def _page(
    request: HttpRequest,
    phase: Phase,
    form: SubmissionForm,
    status: int = 200,
    found: Mapping[str, object] | None = None,
) -> HttpResponse:
    now, user = timezone.now(), scopes.member(request)
    context = {
        "phase": phase,
        "track": phase.track,
        "suite": suite_of(phase),
        "form": form,
        "quotas": [
            (team, quota.remaining(team, phase, now)) for team in teams.teams_of(user)
        ],
        "is_open": phase.is_open(now),
        "has_test_set": active_test_set(phase) is not None,
        "max_mib": settings.MAX_UPLOAD_MIB,
        "outcome": None,
        "checked": None,
        **(found or {}),
    }
    return render(request, "submit.html", context, status=status)
