"""States as a rule of the database, not only of Python."""

from django.db import models
from django.db.models import Q


def only_known(field: str, *values: str, name: str) -> models.CheckConstraint:
    """The column holds one of these values.

    They repeat the field's TextChoices, which a nested Meta cannot see; a test
    compares the two.
    """
    return models.CheckConstraint(
        condition=Q(**{f"{field}__in": values}),
        name=name,
        violation_error_message=f"The {field} is one of {', '.join(values)}.",
        violation_error_code=name,
    )
