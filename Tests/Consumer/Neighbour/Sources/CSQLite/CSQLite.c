#include "CSQLite.h"

int neighbour_sqlite_version(void) { return 1; }
