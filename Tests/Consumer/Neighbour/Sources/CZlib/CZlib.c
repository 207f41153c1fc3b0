#include "CZlib.h"

int neighbour_zlib_version(void) { return 1; }
