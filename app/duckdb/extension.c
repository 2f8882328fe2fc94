/* What DuckDB calls when it loads the extension. */
#include "extension.h"

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access)
{
    if (register_scalars(connection) && register_aggregates(connection)) return true;
    access->set_error(info, "tongyu: DuckDB refused a function of this extension");
    return false;
}
