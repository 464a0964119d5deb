"""What is compared, as text: labels, names, options."""

import pytest

from ogeaug.compare.entries import Entry, read_entries, split_entries
from ogeaug.errors import UserError


def test_the_same_encoding_under_several_labels():
    text = "d005=oge_aug(delta=0.005),d05=oge_aug, d5 = oge_aug( delta=5e-1, k=8 ),vanilla"
    found = read_entries(split_entries(text), {"d05": {"norm": "batch"}})
    assert list(found.values()) == [
        Entry("d005", "oge_aug", {"delta": 0.005}),
        Entry("d05", "oge_aug", {"norm": "batch"}),
        Entry("d5", "oge_aug", {"delta": 0.5, "k": 8}),
        Entry("vanilla", "vanilla"),
    ]


def test_values_are_those_of_configuration_files():
    text = "general(f={name: cartesian, order: 3}, delta=1e-2, distinct=true, k=null)"
    (entry,) = read_entries(split_entries(text)).values()
    f = {"name": "cartesian", "order": 3}
    assert entry.options == {"f": f, "delta": 0.01, "distinct": True, "k": None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oge_aug(delta=0.1", r"a bracket '\)' is missing in .*; write  name,"),
        ("oge_aug)delta=0.1(", r"a bracket '\)' too many"),
        ("oge_aug(delta=0.1]", r"a bracket '\]' too many"),
        ("oge_aug(delta=0.1)k", "is no encoding to compare; write"),
        ("oge_aug(delta=0.1)(k=1)", "a bracket .* too many .*; write"),
        ("", "is no encoding to compare; write"),
        ("spe,,rwse", "is no encoding to compare; write"),
        ("=oge_aug", "is no encoding to compare; write"),
        ("a=", "unknown encoding ''; choose from oge_aug"),
        ("a=oge(k=1)", "unknown encoding 'oge'; choose from oge_aug"),
        ("oge_aug(delta)", "'delta' in .* is no option; write"),
        ("oge_aug(delta=)", "'delta=' in .* is no option; write"),
        ("oge_aug(k=1,)", "'' in .* is no option; write"),
        ("oge_aug(k=1, k=2)", "k is given twice"),
        ("oge_aug(k={)", "a bracket"),
        ("a/b=oge_aug", "the label 'a/b' is to name a folder; use"),
        ("a.b=oge_aug", "the label 'a.b' is to name a folder; use"),
        ("spe=oge_aug", "by the name of another encoding; choose another label"),
        ("oge_aug,oge_aug(k=8)", r"got oge_aug more than once. .*label:  other=oge_aug\(...\)"),
        ("a=spe,a=rwse", "got a more than once"),
    ],
)
def test_bad_texts_are_refused_with_a_fix(text, message):
    with pytest.raises(UserError, match=message):
        read_entries(split_entries(text))


def test_an_option_given_in_two_places():
    with pytest.raises(UserError, match="a: k is given twice; leave one out"):
        read_entries(["a=spe(k=8)"], {"a": {"k": 4}})
