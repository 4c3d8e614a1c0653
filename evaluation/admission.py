"""Taking in a submission for a board: stricter than scoring it by hand."""

from typing import cast

from evaluation.problems import InvalidUpload
from evaluation.reading import Upload
from evaluation.suite import Answers, AnySuite


def admit(suite: AnySuite, upload: Upload, manifest: object) -> Answers:
    """Read predictions, and refuse what the suite scores but a board does not take.

    Raises InvalidUpload, with places. `python -m evaluation score` reads without this,
    so that files made for a released script can still be compared.
    """
    answers = cast(Answers, suite.read_predictions(upload, manifest))
    refused = [one for one in answers.notices if one.code in suite.refused_notices]
    if refused:
        raise InvalidUpload(refused)
    return answers
