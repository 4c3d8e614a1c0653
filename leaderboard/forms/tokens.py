"""The form of the API tokens page."""

from django import forms
from django.contrib.auth.models import User

from leaderboard import teams
from leaderboard.models import ApiToken, Team

LIFETIMES = [(30, "30 days"), (90, "90 days"), (365, "1 year")]


class TokenForm(forms.Form):
    """A new token's name, team, scope and lifetime."""

    name = forms.CharField(
        max_length=ApiToken._meta.get_field("name").max_length,
        help_text="Where it is used, like “CI of our repository”.",
    )
    team = forms.ModelChoiceField(
        queryset=Team.objects.none(),
        empty_label=None,
        help_text="It acts for this team.",
    )
    scope = forms.ChoiceField(choices=(), label="It may")
    days = forms.TypedChoiceField(
        choices=LIFETIMES, coerce=int, initial=90, label="Expires after"
    )

    def __init__(self, user: User, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        own = teams.personal_team(user)
        self.fields["team"].queryset = teams.teams_of(user).order_by("name")  # type: ignore[attr-defined]
        self.fields["team"].initial = own.pk
        self.fields["scope"].choices = [  # type: ignore[attr-defined]
            (value, label)
            for value, label in ApiToken.Scope.choices
            if value != ApiToken.Scope.HOST or user.is_staff
        ]
        self.fields["scope"].initial = ApiToken.Scope.SUBMIT
