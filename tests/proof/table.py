"""The whole table of semantics: whoever imports this has all rows in rows.FORMS."""

import rows_masks  # noqa: F401
import rows_vector  # noqa: F401

NAMES = ["rows", "rows_vector", "rows_masks", "table"]
