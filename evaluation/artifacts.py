"""Compiled test sets as bytes: content-addressed, so that equal means identical."""

import hashlib
from typing import TypeVar

import msgspec
import numpy as np

T = TypeVar("T")


def pack(compiled: object) -> bytes:
    """Encode a compiled test set (structs, dataclasses, numpy arrays) canonically."""
    return msgspec.msgpack.encode(compiled, enc_hook=_encode_array)


def unpack(data: bytes, kind: type[T]) -> T:
    """The inverse of `pack`, for a suite's `compiled_type`."""
    return msgspec.msgpack.decode(data, type=kind, dec_hook=_decode_array)


def address(data: bytes) -> str:
    """The SHA-256 under which these bytes are known."""
    return hashlib.sha256(data).hexdigest()


def _encode_array(value: object) -> object:
    if isinstance(value, np.ndarray):
        return [
            value.dtype.str,
            list(value.shape),
            np.ascontiguousarray(value).tobytes(),
        ]
    raise NotImplementedError(f"cannot pack {type(value).__name__}")


def _decode_array(kind: type, value: tuple[str, list[int], bytes]) -> object:
    dtype, shape, data = value
    return np.frombuffer(data, dtype=dtype).reshape(shape)
