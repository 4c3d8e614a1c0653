"""A headless Chromium, and a site with something on every page."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from pytest_django import Settings

from evaluation import SUITES
from evaluation.problems import Problem
from leaderboard import tokens
from leaderboard.models import Phase, Shard, Submission
from tests.factories import (
    PASSWORD,
    make_accepted,
    make_baseline,
    make_evaluation,
    make_judge,
    make_phase,
    make_published,
    make_scored,
    make_submission,
    make_team,
    make_test_set,
    make_track,
    make_user,
)
from tests.workers import small

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is missing")

ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
# Playwright's loop runs in this thread, and Django takes that for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

Opened = Callable[..., "Tab"]


@dataclass(kw_only=True)
class Tab:
    """A page with what its console complained of."""

    page: sync_api.Page
    base: str
    complaints: list[str]

    def go(self, path: str) -> int:
        """Open an address; the status of the answer."""
        self.complaints.clear()
        return self.page.goto(self.base + path).status

    def sign_in(self, username: str) -> None:
        self.go("/accounts/login/")
        self.page.get_by_label("Login").fill(username)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()


@pytest.fixture(scope="package")
def browser() -> Iterator[sync_api.Browser]:
    """Closed after these tests: others start one of their own, and one loop may run."""
    path = os.environ.get("EGOBOARD_CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.skip("no Chromium on the path (or name one in EGOBOARD_CHROMIUM)")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=ARGS.split(), headless=True
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def static_root() -> None:
    """The folder without which WhiteNoise warns when the live server starts."""
    django_settings.STATIC_ROOT.mkdir(exist_ok=True)


@pytest.fixture
def opened(browser, static_root, live_server) -> Iterator[Opened]:
    """Opens tabs: `opened(width=360, color_scheme="dark")`."""
    contexts = []

    def open_tab(width: int = 1280, **options: object) -> Tab:
        viewport = {"width": width, "height": 800}
        context = browser.new_context(viewport=viewport, **options)
        contexts.append(context)
        tab = Tab(page=context.new_page(), base=live_server.url, complaints=[])
        tab.page.on("console", lambda message: _note(tab, message))
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        return tab

    yield open_tab
    for context in contexts:
        context.close()


@dataclass(frozen=True, kw_only=True)
class Site:
    """What is on the site, by who may see it."""

    username: str
    phase: Phase
    running: Submission
    public: dict[str, str]  # name -> address
    private: dict[str, str]


@pytest.fixture
def site(transactional_db, settings: Settings) -> Site:
    small.give_keys(settings)
    phase = small.open_phase(feedback="instances", time_zone="Asia/Shanghai")
    user = make_user("ada")
    team = make_team(user, name="A laboratory with quite a long name")
    test_set = phase.test_sets.get()
    make_baseline(test_set, skill=0.2)
    make_published(phase.track, note="Transcribed from a figure.")
    for number in range(4):
        name = f"Method-with-a-long-name-without-spaces-and-number-{number}"
        scored = make_scored(phase, skill=0.3 + number / 8, method=name, user=user)
    hidden = Phase.objects.create(
        track=phase.track,
        slug="hidden",
        title="Hidden",
        opens_at=phase.opens_at,
        visibility="hidden",
        visible_from=timezone.now() + timedelta(days=9),
        protocol=phase.protocol,
    )
    running = make_evaluation(
        make_accepted(phase, user=user, team=team, method="Running"), status="running"
    )
    problem = Problem(code="bad", detail="no number", file="a.jsonl", line=3, path=".x")
    rejected = make_submission(
        phase,
        user=user,
        method="Broken",
        status="rejected",
        problems=[asdict(problem)],
        problem_count=180,
    )
    crowded, judged = crowded_board("egobench"), judged_board()
    token, _ = tokens.create(user=user, team=team, name="CI", scope="submit", days=9)
    track, own = f"/tracks/{phase.track.slug}/", "/submissions/"
    return Site(
        username="ada",
        phase=phase,
        running=running.submission,
        public={
            "home": "/",
            "track": track,
            "board": f"{track}{phase.slug}/",
            "errors": f"{track}{phase.slug}/?view=errors&subset=subtype:O2-Unique",
            "crowded track": f"/tracks/{crowded.track.slug}/",
            "crowded board": address(crowded),
            "information": f"{address(crowded)}?view=information",
            "crowded errors": f"{address(crowded)}?view=errors",
            "judged track": f"/tracks/{judged.track.slug}/",
            "judged board": address(judged),
            "filtered board": f"{address(judged)}?card.strategy=multi-step",
            "judged submission": f"/submissions/{judged.submissions.first().pk}/",
            "hidden board": f"{track}{hidden.slug}/",
            "sign in": "/accounts/login/",
            "sign up": "/accounts/signup/",
            "reset": "/accounts/password/reset/",
            "public submission": f"{own}{scored.submission_id}/",
        },
        private={
            "submit": f"{track}{phase.slug}/submit/",
            "submit with a card": f"{address(judged)}submit/",
            "closed submit": f"{track}{hidden.slug}/submit/",
            "submissions": own,
            "scored": f"{own}{scored.submission_id}/",
            "running": f"{own}{running.submission_id}/",
            "rejected": f"{own}{rejected.pk}/",
            "withdraw": f"{own}{scored.submission_id}/withdraw/",
            "instances": f"{own}{scored.submission_id}/instances/",
            "tokens": "/tokens/",
            "revoke": f"/tokens/{token.public_id}/revoke/",
            "account": "/accounts/email/",
            "password": "/accounts/password/change/",
            "sign out": "/accounts/logout/",
        },
    )


def address(phase: Phase) -> str:
    return f"/tracks/{phase.track.slug}/{phase.slug}/"


def crowded_board(suite: str, **fields: object) -> Phase:
    """Many metrics, subsets and published rows, with all that may be told of them."""
    phase = make_phase(make_track(suite=suite), **fields)
    test_set = make_test_set(phase)
    make_baseline(test_set)
    card = {"strategy": "multi-step", "segments": "4 segments", "thinking": "on"}
    said = card if SUITES[suite].card_fields else {}
    for number in range(3):
        make_scored(phase, skill=0.3 + number / 8, card=said)
    for number in range(4):
        make_published(
            phase.track,
            method=f"A-published-model-{number}",
            source=f"Paper {number % 2}",
            source_url="https://example.org/a-paper" if number % 2 else "",
            note="mode: thinking" if number % 2 else "Transcribed from a figure. " * 3,
            organisation="A lab" if number % 2 else "A lab with quite a long name",
            is_human=number == 0,
            is_open_weights=number > 1,
            is_subset=number == 2,
        )
    return phase


def judged_board() -> Phase:
    judge = make_judge(
        title="A small judge",
        agreement=0.92,
        agreement_low=0.9,
        agreement_high=0.94,
        agreement_note="300 pairs, three raters",
    )
    return crowded_board("explore", judge_profile=judge)


def finish_a_part(submission: Submission) -> None:
    """What a worker does, as far as pages see it."""
    shards = Shard.objects.filter(evaluation__submission=submission, status="queued")
    Shard.objects.filter(pk=shards.first().pk).update(status="done", rows=b"x")


def _note(tab: Tab, message: sync_api.ConsoleMessage) -> None:
    if message.type in ("error", "warning"):
        tab.complaints.append(message.text)
