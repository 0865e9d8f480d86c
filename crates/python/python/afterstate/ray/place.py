"""The place of a run: a directory that all machines see, or an object store named by a URI.

    place = Place("/shared/runs/mine")
    place = Place("s3://bucket/runs/mine")        # whatever pyarrow opens; Ray itself keeps its files that way

A file is there whole or not at all: in a directory by renaming, in an object store by its nature.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from afterstate import Network


class Place:
    """Files by name below one directory or URI; sent to workers as it is."""

    def __init__(self, where: str | os.PathLike[str]) -> None:
        text = os.fspath(where)
        self.is_uri = "://" in text
        self.where = text.rstrip("/") if self.is_uri else os.path.abspath(text)

    def __str__(self) -> str:
        return self.where

    def _remote(self, name: str) -> tuple[Any, str]:
        """The file system of a URI, and the path of a file in it."""
        try:
            from pyarrow import fs
        except ImportError as error:
            raise ValueError(f"{self.where} needs pyarrow: pip install pyarrow") from error
        system, path = fs.FileSystem.from_uri(self.where)
        return system, f"{path}/{name}"

    def write(self, name: str, content: bytes) -> None:
        """Puts a file there."""
        if self.is_uri:
            system, path = self._remote(name)
            system.create_dir(path.rsplit("/", 1)[0], recursive=True)
            # Stores replace a file at once; what pyarrow calls a file system may be one, so that is renamed too.
            with system.open_output_stream(path + ".new") as file:
                file.write(content)
            system.move(path + ".new", path)
            return
        path = os.path.join(self.where, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), prefix=".", delete=False) as file:
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                os.chmod(file.name, 0o644)
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise

    def read(self, name: str) -> bytes | None:
        """What is in a file; `None` if there is none."""
        try:
            if self.is_uri:
                system, path = self._remote(name)
                with system.open_input_stream(path) as file:
                    content: bytes = file.read()
                    return content
            with open(os.path.join(self.where, name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def list(self, directory: str) -> list[str]:
        """The names of the files in a directory, sorted; none if it is not there."""
        if self.is_uri:
            from pyarrow import fs

            system, path = self._remote(directory)
            found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
            return sorted(info.base_name for info in found if info.is_file)
        try:
            return sorted(name for name in os.listdir(os.path.join(self.where, directory)) if not name.startswith("."))
        except FileNotFoundError:
            return []

    def remove(self, name: str) -> None:
        """Takes a file away; not an error if it is gone."""
        try:
            if self.is_uri:
                system, path = self._remote(name)
                system.delete_file(path)
            else:
                os.unlink(os.path.join(self.where, name))
        except FileNotFoundError:
            pass

    def save(self, name: str, network: Network, metadata: dict[str, str]) -> None:
        """Saves a network with its sums."""
        with self._file_to_write(name) as path:
            network.save(path, sums=True, metadata=metadata)
            if self.is_uri:
                with open(path, "rb") as file:
                    self.write(name, file.read())

    def load(self, name: str) -> Network:
        """Reads a network with its sums."""
        if not self.is_uri:
            return Network.load(os.path.join(self.where, name))
        content = self.read(name)
        if content is None:
            raise FileNotFoundError(f"{self.where}/{name}")
        return unpack(content)

    def _file_to_write(self, name: str) -> AbstractContextManager[str]:
        if self.is_uri:
            return _temporary()
        path = os.path.join(self.where, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return nullcontext(path)  # saving is through a temporary file already


class _temporary(AbstractContextManager[str]):
    """The path of a file that goes away."""

    def __enter__(self) -> str:
        self.directory = tempfile.TemporaryDirectory(prefix="afterstate-")
        return os.path.join(self.directory.name, "model")

    def __exit__(self, *_: object) -> None:
        self.directory.cleanup()


def pack(network: Network, metadata: dict[str, str] | None = None) -> bytes:
    """A network with its sums as the bytes of a file."""
    with _temporary() as path:
        network.save(path, sums=True, metadata=metadata)
        with open(path, "rb") as file:
            return file.read()


def unpack(content: bytes) -> Network:
    """The network in the bytes of a file."""
    with _temporary() as path:
        with open(path, "wb") as file:
            file.write(content)
        return Network.load(path)
