"""What a method card says about how the descriptions were made."""

from evaluation.suite import CardField

CARD_FIELDS = (
    CardField(
        key="strategy",
        label="Inference",
        choices=("single-step", "multi-step"),
        meaning="All actions at once, or segment by segment.",
    ),
    CardField(
        key="segments",
        label="Segments or window",
        meaning="Multi-step only: the number of segments, or the window size.",
    ),
    CardField(
        key="thinking",
        label="Thinking",
        choices=("on", "off"),
        meaning="Whether the model reasons before it answers.",
    ),
)
