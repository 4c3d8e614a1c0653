"""How uploads arrive: written to disk as they come, never more than the site takes."""

from typing import IO

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import TemporaryFileUploadHandler

MIB = 1024 * 1024
FAR_TOO_LARGE = 4  # times the largest file: such a request is not read at all


class IncomingFileHandler(TemporaryFileUploadHandler):
    """Bounds what a request puts on the disk, before anyone asks who sends it.

    A form is read to find its security token, so a stranger's is too. Of a file that
    is too large only the beginning is kept; its size stays true, and the form says in
    words that it is refused.
    """

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, str],  # noqa: N803 (its name in Django)
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        if content_length > (FAR_TOO_LARGE * settings.MAX_UPLOAD_MIB + 1) * MIB:
            raise RequestDataTooBig("the request is far larger than any file may be")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        most = settings.MAX_UPLOAD_MIB * MIB + 1  # one more still measures too large
        if start < most:
            self.file.write(raw_data[: most - start])
