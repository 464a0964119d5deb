"""Reads what was written."""

import csv
import gzip


def read(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return list(csv.reader(text.splitlines()))
