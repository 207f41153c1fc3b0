// The part of Darwin's header, which ziglang lacks, that NIOPosix needs.
#pragma once
#include <sys/types.h>
#include <sys/ioccom.h>
#include <sys/socket.h>

struct sockaddr_vm {
  __uint8_t svm_len;
  sa_family_t svm_family;
  __uint16_t svm_reserved1;
  __uint32_t svm_port;
  __uint32_t svm_cid;
};

#define VMADDR_CID_ANY (-1U)
#define VMADDR_CID_HYPERVISOR 0
#define VMADDR_CID_HOST 2
#define VMADDR_PORT_ANY (-1U)
#define IOCTL_VM_SOCKETS_GET_LOCAL_CID _IOR('L', 0x14, __uint32_t)
