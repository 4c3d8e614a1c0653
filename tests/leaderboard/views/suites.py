"""A fourth suite, made up for tests: pages must draw it without knowing it."""

from dataclasses import replace

from evaluation import SUITES
from evaluation.suite import AnySuite, CardField, ErrorType, Family, Metric

FOURTH = "fourth"


def fourth() -> AnySuite:
    """Other metrics (one better when lower, one never ranked), families, errors, card."""
    metrics = (
        Metric(
            key="distance",
            label="Distance",
            unit="cm",
            meaning="How far the hand is off.",
            decimals=3,
            high=5.0,
            higher_is_better=False,
        ),
        Metric(
            key="steps",
            label="Steps",
            unit="steps",
            meaning="How many steps were taken.",
            decimals=0,
            is_information=True,
        ),
    )
    return replace(
        SUITES["svcbench"],
        slug=FOURTH,
        name="Fourth",
        summary="How far is the hand off?",
        protocols=("fourth/1",),
        metrics=metrics,
        headline="distance",
        families=(Family(key="hand", label="Hand", order=("right", "left")),),
        errors=(
            ErrorType(key="dropped", label="Dropped", meaning="The cup fell."),
            ErrorType(key="held", label="Held", meaning="It did not.", is_right=True),
        ),
        errors_count="grasp",
        deviations=("The fourth evaluator forgets the left hand.",),
        instance_metrics=("distance",),
        card_fields=(
            CardField(
                key="glove",
                label="Glove",
                choices=("worn", "none & bare"),
                meaning="What the <hand> wore.",
            ),
            CardField(key="size", label="Size"),
        ),
    )
