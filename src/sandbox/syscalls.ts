/** What the filter needs to know of a processor: its audit value, and its numbers for the calls that are told apart. */
export interface SyscallTable {
  /** AUDIT_ARCH_… of linux/audit.h. */
  readonly audit: number
  /** First number of a second ABI that must be closed as a whole (x32), if there is one. */
  readonly secondAbi?: number
  readonly clone: number
  readonly clone3: number
  readonly ioctl: number
  readonly socket: number
  /** Calls that no command needs and that have been a way out or a way to disturb the host. */
  readonly denied: readonly number[]
}

/** Since Linux 5.1 new calls have one number on all processors. */
const DENIED_EVERYWHERE = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
}

const DENIED_X64 = {
  ptrace: 101,
  syslog: 103,
  personality: 135,
  vhangup: 153,
  modify_ldt: 154,
  pivot_root: 155,
  adjtimex: 159,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  sethostname: 170,
  setdomainname: 171,
  iopl: 172,
  ioperm: 173,
  init_module: 175,
  delete_module: 176,
  quotactl: 179,
  clock_settime: 227,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  migrate_pages: 256,
  unshare: 272,
  move_pages: 279,
  perf_event_open: 298,
  fanotify_init: 300,
  name_to_handle_at: 303,
  open_by_handle_at: 304,
  clock_adjtime: 305,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  finit_module: 313,
  kexec_file_load: 320,
  bpf: 321,
  userfaultfd: 323,
}

const DENIED_ARM64 = {
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  chroot: 51,
  vhangup: 58,
  quotactl: 60,
  acct: 89,
  personality: 92,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  clock_settime: 112,
  syslog: 116,
  ptrace: 117,
  reboot: 142,
  sethostname: 161,
  setdomainname: 162,
  settimeofday: 170,
  adjtimex: 171,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  swapon: 224,
  swapoff: 225,
  migrate_pages: 238,
  move_pages: 239,
  perf_event_open: 241,
  fanotify_init: 262,
  name_to_handle_at: 264,
  open_by_handle_at: 265,
  clock_adjtime: 266,
  setns: 268,
  process_vm_readv: 270,
  process_vm_writev: 271,
  kcmp: 272,
  finit_module: 273,
  bpf: 280,
  userfaultfd: 282,
  kexec_file_load: 294,
}

/** By the name that Node gives the processor. */
export const SYSCALLS: Readonly<Record<string, SyscallTable>> = {
  x64: {
    audit: 0xc000003e,
    secondAbi: 0x40000000,
    clone: 56,
    clone3: 435,
    ioctl: 16,
    socket: 41,
    denied: Object.values({ ...DENIED_X64, ...DENIED_EVERYWHERE }),
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
    denied: Object.values({ ...DENIED_ARM64, ...DENIED_EVERYWHERE }),
  },
}
