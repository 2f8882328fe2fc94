/* What DuckDB calls when it loads the extension. */
#include "extension.h"

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access)
{
    (void)info;
    (void)access;
    register_scalars(connection);
    register_aggregates(connection);
    return true;
}
