/** A processor whose system calls we know: the number by which the kernel names it, and the numbers of its calls. */
type Machine = { audit: number; numbers: Readonly<Record<string, number>> }

/** Calls that were added after 2019 have the same number on every processor. */
const everywhere = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  openat2: 437,
  mount_setattr: 442,
  memfd_secret: 447,
  fchmodat2: 452,
} as const

/** The newest call that is looked at. Newer ones are answered as by an older kernel: they may do what is refused here. */
const newest = 462

/** By `process.arch`. 64-bit ARM has no calls that others do as well: no `open`, `creat`, `chmod`, `mkdir` and `mknod`. */
const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    numbers: {
      ...everywhere,
      open: 2,
      shmget: 29,
      socket: 41,
      clone: 56,
      semget: 64,
      msgget: 68,
      mkdir: 83,
      creat: 85,
      chmod: 90,
      fchmod: 91,
      mknod: 133,
      pivot_root: 155,
      mount: 165,
      umount2: 166,
      mq_open: 240,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      openat: 257,
      mkdirat: 258,
      mknodat: 259,
      fchmodat: 268,
      unshare: 272,
      perf_event_open: 298,
      setns: 308,
      memfd_create: 319,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    numbers: {
      ...everywhere,
      mknodat: 33,
      mkdirat: 34,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      fchmod: 52,
      fchmodat: 53,
      openat: 56,
      unshare: 97,
      mq_open: 180,
      msgget: 186,
      semget: 190,
      shmget: 194,
      socket: 198,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      clone: 220,
      perf_event_open: 241,
      setns: 268,
      memfd_create: 279,
      bpf: 280,
      userfaultfd: 282,
    },
  },
}

/** Calls that set the mode of a file, with the place of the mode among the arguments. */
const modes = {
  chmod: 1,
  fchmod: 1,
  fchmodat: 2,
  fchmodat2: 2,
  creat: 1,
  mkdir: 1,
  mkdirat: 2,
  mknod: 1,
  mknodat: 2,
} as const

/** Calls that set a mode if they make a file, which their flags say. */
const opening = { open: { flags: 1, mode: 2 }, openat: { flags: 2, mode: 3 } } as const

/** Calls that programs do without where a kernel does not know them. */
const unknown = [
  // Its mode and flags are in memory, where a filter cannot look.
  'openat2',
  // Does what other calls do, without making them.
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  // Memory that the resident size of a process leaves out.
  'memfd_create',
  'memfd_secret',
  // Its flags are in memory, too. Libraries use clone then.
  'clone3',
] as const

/** Calls that a program in the sandbox has no use for, and that kernels had faults in. */
const refused = [
  // Namespaces, in which a program has rights again.
  'unshare',
  'setns',
  'mount',
  'umount2',
  'pivot_root',
  'open_tree',
  'move_mount',
  'fsopen',
  'fsconfig',
  'fsmount',
  'fspick',
  'mount_setattr',
  // Keys are kept by user, also outside of the sandbox.
  'add_key',
  'request_key',
  'keyctl',
  'bpf',
  'perf_event_open',
  'userfaultfd',
] as const

/** Calls that make memory of the kernel's, which stays when their process has ended. */
const lasting = ['shmget', 'semget', 'msgget', 'mq_open'] as const

/** Unix, IPv4, IPv6 and netlink. Others lead past the network of a sandbox, as VSOCK to the host of a virtual machine. */
const socketFamilies = [1, 2, 10, 16]

const setIdBits = 0o6000
/** O_CREAT, and the bit of O_TMPFILE that no other flag has. */
const makesFile = 0o100 | 0o20000000
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e020000

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const allow = 0x7fff0000
const endProcess = 0x80000000
const errorOf = (code: number) => 0x00050000 | code

/** An instruction of the filter: an operation, how many to skip if its question is answered by yes and by no, and a value. */
type Instruction = readonly [code: number, yes: number, no: number, value: number]

const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const isEqual = (value: number, yes: number, no: number): Instruction => [0x15, yes, no, value]
const isGreater = (value: number, yes: number, no: number): Instruction => [0x25, yes, no, value]
const hasBits = (value: number, yes: number, no: number): Instruction => [0x45, yes, no, value]
const answer = (value: number): Instruction => [0x06, 0, 0, value]

/** Offsets of a call's facts in the kernel's structure. Both processors put the low half of an argument first. */
const [numberAt, machineAt] = [0, 4]
const argumentAt = (place: number) => 16 + 8 * place

/**
 * Returns the filter of system calls for programs in the sandbox, as the bytes of a classic BPF program; null = none is known
 * for this processor. It lets no program set set-user-id or set-group-id bits, make namespaces or mounts, open sockets that no
 * namespace keeps inside, or hold memory that is not counted. `sharedMemory` false also refuses memory that outlives its process, which no limit of a process counts.
 */
export function systemCallFilter(
  arch: string = process.arch,
  { sharedMemory = true }: { sharedMemory?: boolean } = {},
): Buffer | null {
  const machine = machines[arch]
  if (!machine) return null
  const { audit, numbers } = machine
  /** Runs `then` only for this call, if the processor has it. */
  const on = (name: string, then: readonly Instruction[]): readonly Instruction[] => {
    const number = numbers[name]
    return number === undefined ? [] : [isEqual(number, 0, then.length), ...then]
  }
  const bitsRefused = (place: number, bits: number) => [
    load(argumentAt(place)),
    hasBits(bits, 0, 1),
    answer(errorOf(EPERM)),
    answer(allow),
  ]
  const never = [...refused, ...(sharedMemory ? [] : lasting)]
  return bytesOf([
    load(machineAt),
    // Also ends what makes a call as a 32-bit program does.
    isEqual(audit, 1, 0),
    answer(endProcess),
    load(numberAt),
    // Numbers of x32 programs are greater than any other.
    isGreater(newest, 0, 1),
    answer(errorOf(ENOSYS)),
    ...unknown.flatMap((name) => on(name, [answer(errorOf(ENOSYS))])),
    ...never.flatMap((name) => on(name, [answer(errorOf(EPERM))])),
    ...on('socket', [
      load(argumentAt(0)),
      ...socketFamilies.map((family, place) => isEqual(family, socketFamilies.length - place, 0)),
      answer(errorOf(EAFNOSUPPORT)),
      answer(allow),
    ]),
    ...on('clone', bitsRefused(0, newNamespaces)),
    ...Object.entries(modes).flatMap(([name, mode]) => on(name, bitsRefused(mode, setIdBits))),
    ...Object.entries(opening).flatMap(([name, { flags, mode }]) =>
      on(name, [
        load(argumentAt(flags)),
        hasBits(makesFile, 1, 0),
        answer(allow),
        ...bitsRefused(mode, setIdBits),
      ]),
    ),
    answer(allow),
  ])
}

function bytesOf(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * instructions.length)
  for (const [place, [code, yes, no, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, 8 * place)
    bytes.writeUInt8(yes, 8 * place + 2)
    bytes.writeUInt8(no, 8 * place + 3)
    bytes.writeUInt32LE(value, 8 * place + 4)
  }
  return bytes
}
