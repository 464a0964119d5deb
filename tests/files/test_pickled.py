"""Foreign pickles: arrays come back as they were, and nothing that a file names is run."""

import contextlib
import io
import os
import pickle
import struct

import numpy as np
import pytest
import torch

from ogeaug.errors import UserError
from ogeaug.files.pickled import ForbiddenPickle, load_pickle, read_pickle
from ogeaug.files.torch_file import read_torch

PLAIN = [
    {"a": torch.arange(6).reshape(2, 3).T, "y": torch.tensor([1.5]), "n": 3},
    [torch.tensor(3), torch.empty(0), torch.tensor([True]), torch.ones(2, dtype=torch.int32)],
    [np.arange(6).reshape(2, 3), np.float32(2), np.array(["a", "bc"]), np.zeros((0, 2))],
    np.array([b"?", "x", None], dtype=object),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    (1, 2.5, "é", b"x", None, True, [{}]),
]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", PLAIN, ids=range(len(PLAIN)))
def test_arrays_come_back(value, protocol):
    found = load(pickle.dumps(value, protocol=protocol))
    assert repr(found) == repr(value)


class Runs:
    """Leaves a mark if it is unpickled."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


class Claims:
    """A class that says it is one of numpy's."""

    __module__ = "numpy.core.multiarray"
    __qualname__ = "scalar_"


def load(content):
    return load_pickle(io.BytesIO(content), "file")


def storage_of(value):
    """A tensor whose numbers are said to be in these bytes."""
    return Runs(torch.storage._load_from_bytes, value)


def legacy(value):
    buffer = io.BytesIO()
    torch.save(value, buffer, _use_new_zipfile_serialization=False)
    return buffer.getvalue()


def hostile(path):
    mark = f"touch {path}"
    system, evaluate = Runs(os.system, mark), Runs(eval, f"open({str(path)!r}, 'w')")
    return {
        "system": system,
        "eval": evaluate,
        "exec": Runs(exec, f"open({str(path)!r}, 'w')"),
        "getattr": Runs(getattr, "", "join"),
        "import": Runs(__import__, "this"),
        "nested": [{"a": (torch.ones(2), [system])}],
        "key": {("a", evaluate): 1},
        "object array": np.array([1, system], dtype=object),
        "inside a tensor": storage_of(pickle.dumps(system)),
        "inside an older file of torch": storage_of(legacy([system])),
        "torch.load": Runs(torch.load, str(path)),
        "numpy.load": Runs(np.load, str(path)),
        "numpy.fromfile": Runs(np.fromfile, str(path)),
        "a class": Runs,
        "a dtype of structures": np.zeros(2, dtype=[("a", "i4")]),
        "an object of numpy": np.random.default_rng(0),
    }


@pytest.mark.parametrize("kind", list(hostile("")))
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_nothing_is_run(tmp_path, kind, protocol):
    mark = tmp_path / "mark"
    content = pickle.dumps(hostile(mark)[kind], protocol=protocol)
    with pytest.raises(UserError, match=r"it was not run|no complete pickle"):
        load(content)
    assert not mark.exists()


def test_the_message_says_what_was_asked_for(tmp_path):
    path = tmp_path / "train.pickle"
    path.write_bytes(pickle.dumps([Runs(os.system, "true")]))
    with pytest.raises(ForbiddenPickle, match=r"train\.pickle names (posix|nt)\.system, which"):
        read_pickle(path)


def test_a_class_that_claims_to_be_of_numpy():
    content = b"cnumpy.core.multiarray\nscalar_\n)R."
    with pytest.raises(ForbiddenPickle, match=r"numpy\.core\.multiarray\.scalar_"):
        load(content)
    for name in (b"numpy\nload", b"numpy.core.multiarray\nfromfile", b"numpy.testing\nrunstring"):
        with pytest.raises(ForbiddenPickle):
            load(b"c" + name + b"\n.")


@pytest.mark.parametrize(
    "code",
    [
        b"(i" + b"os\nsystem\n.",
        b"cnumpy\nndarray\n(I99999999999\ntR.",  # an array type cannot be called
        b"cnumpy\nndarray\n)\x81.",
        b"cnumpy\nndarray\n)}\x92.",
        b"\x82\x01.",
        b"Pany\n.",
        b"]Q.",
        b"\x97.",
        b"](K\x01eR.",
        b"]}b.",
    ],
)
def test_instructions_that_make_objects_are_refused(code):
    with pytest.raises(UserError):
        load(code)


def array_code(dtype, state):
    """Instructions that make an array; ``state`` is what follows its type."""
    made = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntC\x01btR"
    return made + b"(I1\n(I2\nt" + dtype_code(dtype) + b"I00\n" + state + b"tb"


def dtype_code(name):
    return b"cnumpy\ndtype\n(V" + name + b"\nI00\nI01\ntR"


def test_no_second_view_of_an_array():
    """Numbers that are written over the pointers of an array of objects would be obeyed."""
    objects = b"\x80\x04" + array_code(b"O8", b"(NNl") + b"\x940"
    view = b"cnumpy.core.numeric\n_frombuffer\n(h\x00" + dtype_code(b"i8") + b"(I2\ntVC\ntR"
    with pytest.raises(ForbiddenPickle, match="of the memory of a ndarray"):
        load(objects + view + b"0h\x00.")


@pytest.mark.parametrize("code", [b"K\x00K\x01s.", b"(K\x00K\x01u.", b"K\x01a.", b"(K\x01e."])
def test_entries_are_put_into_plain_containers_alone(code):
    numbers = b"\x80\x04" + array_code(b"u1", b"C\x02ab")
    assert load(numbers + b".").tolist() == [97, 98]
    for made in (numbers, b"\x96" + struct.pack("<Q", 2) + b"ab", b"\x8f"):
        with pytest.raises(ForbiddenPickle, match="puts entries into"):
            load(made + code)


@pytest.mark.parametrize(
    "code",
    [
        b"]r\xff\xff\xff\xff.",  # a place in the memo: the reader in C makes room for all before it
        b"]p99999999999\n.",
        b"\x8e" + struct.pack("<Q", 2**62) + b"ab.",
        b"\x96" + struct.pack("<Q", 2**62) + b"ab.",
        b"\x8d" + struct.pack("<Q", 2**40) + b"ab.",
        b"\x95" + struct.pack("<Q", 2**62) + b"ab.",
        b"\x8b" + struct.pack("<i", 2**31 - 1) + b"ab.",
    ],
)
def test_huge_counts_take_no_memory(code):
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with contextlib.suppress(UserError):
        load(code)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**20  # KiB


def test_tensors_and_arrays_are_no_larger_than_their_numbers():
    storage = torch.ones(3).untyped_storage()
    assert storage.nbytes() == 12

    def tensor(size, stride, offset=0):
        numbers = storage_of(legacy(torch.ones(3)._typed_storage()))
        arguments = (numbers, offset, size, stride, False, {})
        return load(pickle.dumps(Runs(torch._utils._rebuild_tensor_v2, *arguments)))

    assert tensor((3,), (1,)).tolist() == [1, 1, 1]
    for bad in [((4,), (1,)), ((10**12,), (0,)), ((3,), (2,)), ((3,), (1,), 1), ((3,), (-1,))]:
        with pytest.raises(UserError, match="no complete pickle"):
            tensor(*bad)
    array = pickle.dumps(np.arange(3, dtype="u1"), protocol=2)
    assert load(array).tolist() == [0, 1, 2]
    with pytest.raises(UserError, match="no complete pickle"):
        load(array.replace(b"K\x03\x85", b"K\xff\x85"))


def test_damage_is_told():
    whole = pickle.dumps(PLAIN, protocol=4)
    for end in range(0, len(whole), 7):
        with pytest.raises(UserError, match="no complete pickle"):
            load(whole[:end])
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 300):
        damaged = bytearray(whole)
        damaged[place] ^= int(rng.integers(1, 256))
        with contextlib.suppress(UserError):  # and nothing else
            load(bytes(damaged))


@pytest.mark.filterwarnings("ignore:Detected pickle protocol")  # in a damaged file
def test_files_of_torch(tmp_path):
    path = tmp_path / "train.pt"
    torch.save([{"x": torch.ones(2)}, (1, "a")], path)
    assert read_torch(path)[0]["x"].tolist() == [1, 1]
    mark = tmp_path / "mark"
    torch.save([Runs(os.system, f"touch {mark}")], path)
    with pytest.raises(UserError, match="nothing of it was run"):
        read_torch(path)
    torch.save([Runs(os.system, f"touch {mark}")], path, _use_new_zipfile_serialization=False)
    with pytest.raises(UserError, match="nothing of it was run"):
        read_torch(path)
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(UserError, match=r"train\.pt"):
        read_torch(path)
    path.write_bytes(b"")
    with pytest.raises(UserError, match=r"train\.pt"):
        read_torch(path)
    torch.save([{"x": torch.ones(2)}, (1, "a")], path, _use_new_zipfile_serialization=False)
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 200):
        path.write_bytes(whole[:place] + bytes([int(rng.integers(256))]) + whole[place + 1 :])
        with contextlib.suppress(UserError):  # and nothing else
            read_torch(path)
    with pytest.raises(UserError, match="there is no file"):
        read_torch(tmp_path / "absent.pt")
    assert not mark.exists()
