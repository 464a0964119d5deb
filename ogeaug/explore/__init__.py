"""The page of ``ogeaug explore``. Its framework comes with ``pip install 'ogeaug[explore]'``."""
