"""The whole table of semantics: importing this module adds all rows to rows.FORMS."""

import rows_bytes  # noqa: F401
import rows_masks  # noqa: F401
import rows_pack  # noqa: F401
import rows_shift  # noqa: F401
import rows_vector  # noqa: F401

NAMES = ["rows", "rows_vector", "rows_masks", "rows_bytes", "rows_pack", "rows_shift", "table"]
