#ifndef NEIGHBOUR_CSQLite
#define NEIGHBOUR_CSQLite

int neighbour_sqlite_version(void);

#endif
