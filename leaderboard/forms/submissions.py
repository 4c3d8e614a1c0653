"""The form of the submit page."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.forms.boundfield import BoundField
from django.template.defaultfilters import filesizeformat
from django.utils.html import escape

from evaluation.suite import AnySuite, CardField
from leaderboard import method_cards, teams
from leaderboard.ids import uuid7
from leaderboard.models import Phase, Submission, Team
from leaderboard.submissions import Entry

MIB = 1024 * 1024
CARD = "card_"  # before the key of a field of the card


class FileForm(forms.Form):
    """A file alone, for the check before it counts."""

    upload = forms.FileField(
        label="Predictions file",
        error_messages={
            "required": "Choose the file with your predictions.",
            "empty": "This file is empty; choose the one with your predictions.",
        },
    )

    def clean_upload(self) -> UploadedFile:
        upload: UploadedFile = self.cleaned_data["upload"]
        size = upload.size or 0
        if size > settings.MAX_UPLOAD_MIB * MIB:
            raise forms.ValidationError(
                f"This file has {filesizeformat(size)}; "
                f"{settings.MAX_UPLOAD_MIB} MiB are allowed. "
                "Compress it (zip or gz) and choose it again.",
                code="too_large",
            )
        return upload


class SubmissionForm(FileForm):
    """A file and what is said about it."""

    method = forms.CharField(
        label="Method name",
        max_length=Submission._meta.get_field("method").max_length,
        validators=[method_cards.check_printable],
        help_text="As it should stand on the board, like “Qwen3-VL-8B, 64 frames”.",
    )
    description = forms.CharField(
        required=False,
        max_length=Submission._meta.get_field("description").max_length,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Model version, prompts, frames seen: what others need to repeat it.",
    )
    url = forms.URLField(
        label="Link to a paper or code", required=False, assume_scheme="https"
    )
    team = forms.ModelChoiceField(
        queryset=Team.objects.none(), label="Submit for", empty_label=None
    )
    is_public = forms.BooleanField(
        label="Show on the board when it is scored",
        required=False,
        initial=True,
        help_text="You can change this later.",
    )
    # One form submits once, however often its button is pressed.
    key = forms.CharField(widget=forms.HiddenInput, max_length=36, required=False)

    def __init__(
        self, user: User, suite: AnySuite, *args: object, **kwargs: object
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.suite = suite
        for field in suite.card_fields:
            self.fields[f"{CARD}{field.key}"] = _card_field(field)
        own = teams.personal_team(user)
        choices = self.fields["team"]
        choices.queryset = teams.teams_of(user).order_by("name")  # type: ignore[attr-defined]
        choices.initial = own.pk
        self.fields["key"].initial = str(uuid7())

    @property
    def card(self) -> Sequence[BoundField]:
        """The fields of the method card, as the template draws them."""
        return [self[f"{CARD}{field.key}"] for field in self.suite.card_fields]

    def entry(self) -> Entry:
        """What the submitter says about the file."""
        said = self.cleaned_data
        card = {f.key: said[f"{CARD}{f.key}"] for f in self.suite.card_fields}
        return Entry(
            method=said["method"],
            description=said["description"],
            url=said["url"],
            is_public=said["is_public"],
            card=method_cards.checked(self.suite, card),
        )

    def idempotency_key(self, phase: Phase) -> str:
        """The same for the same press of the button, another for changed content."""
        if not self.cleaned_data["key"]:
            return ""
        upload = self.cleaned_data["upload"]
        digest = hashlib.sha256(f"{phase.pk} {self.entry()!r}".encode())
        for chunk in upload.chunks():
            digest.update(chunk)
        upload.seek(0)
        return f"page {self.cleaned_data['key']} {digest.hexdigest()}"


def _card_field(field: CardField) -> forms.Field:
    """A choice that may be left open, or a short text."""
    check: Callable[[str], None] = partial(method_cards.check_value, field)
    if field.choices:
        return forms.ChoiceField(
            label=field.label,
            required=False,
            choices=[("", "not said"), *((one, one) for one in field.choices)],
            help_text=escape(field.meaning),
        )
    return forms.CharField(
        label=field.label,
        required=False,
        max_length=method_cards.MAX_LENGTH,
        validators=[check],
        help_text=escape(field.meaning),
    )
