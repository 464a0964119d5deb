"""What is said of a ``.pt`` file that is refused; see test_pickled.py for what is read."""

import os
import pickle
import re
import warnings

import pytest
import torch

from ogeaug.errors import UserError
from ogeaug.files.torch_file import read_torch


class Runs:
    def __reduce__(self):
        return os.system, ("true",)


def test_no_message_tells_to_load_without_the_guard(tmp_path):
    """Torch's own do, for hostile and for foreign files."""
    torch.save([Runs()], tmp_path / "hostile.pt")
    torch.save([torch.nn.Linear(1, 1)], tmp_path / "foreign.pt")
    with warnings.catch_warnings(action="ignore"):  # TorchScript is on its way out
        torch.jit.script(torch.nn.Linear(1, 1)).save(tmp_path / "script.pt")
    (tmp_path / "page.pt").write_text("<html>404</html>")
    (tmp_path / "plain.pt").write_bytes(pickle.dumps([1], protocol=2))
    for path in tmp_path.iterdir():
        with warnings.catch_warnings(action="ignore"), pytest.raises(UserError) as told:
            read_torch(path)
        assert not re.search(r"(?i)weights|re-?run|trust|option", str(told.value)), path
        assert "Fetch it again" in str(told.value)
    with pytest.raises(UserError, match=r"nothing of it was run \(it asks for posix.system\)"):
        read_torch(tmp_path / "hostile.pt")


def test_a_file_that_is_cut_off_is_named(tmp_path):
    torch.save([torch.arange(99)], tmp_path / "whole.pt")
    content = (tmp_path / "whole.pt").read_bytes()
    for length in range(0, len(content), 97):  # some of them make torch raise a bare OSError
        (tmp_path / "cut.pt").write_bytes(content[:length])
        with pytest.raises(UserError, match=r"cut\.pt .* Fetch it again"):
            read_torch(tmp_path / "cut.pt")
