#ifndef NEIGHBOUR_CZlib
#define NEIGHBOUR_CZlib

int neighbour_zlib_version(void);

#endif
