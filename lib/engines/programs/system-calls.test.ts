import { describe, expect, it } from 'vitest'
import { systemCallFilter } from './system-calls'

const machines = {
  x64: { audit: 0xc000003e, other: 0x40000003 },
  arm64: { audit: 0xc00000b7, other: 0x40000028 },
} as const
type Arch = keyof typeof machines

const [EPERM, ENOSYS] = ['EPERM', 'ENOSYS']
const answers = new Map([
  [0x7fff0000, 'allowed'],
  [0x80000000, 'ended'],
  [0x00050001, EPERM],
  [0x00050026, ENOSYS],
  [0x00050061, 'EAFNOSUPPORT'],
])

type Call = { number: number; args?: readonly number[]; audit?: number }

/** Runs a filter as the kernel does, with the six operations that it may use. */
function answerOf(arch: Arch, { number, args = [], audit = machines[arch].audit }: Call): string {
  const filter = systemCallFilter(arch) ?? Buffer.alloc(0)
  const facts = Buffer.alloc(64)
  facts.writeUInt32LE(number, 0)
  facts.writeUInt32LE(audit, 4)
  for (const [place, value] of args.entries()) facts.writeBigUInt64LE(BigInt(value), 16 + 8 * place)
  let loaded = 0
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, value] = [filter.readUInt16LE(8 * at), filter.readUInt32LE(8 * at + 4)]
    const [yes, no] = [filter.readUInt8(8 * at + 2), filter.readUInt8(8 * at + 3)]
    if (code === 0x06) return answers.get(value) ?? String(value)
    if (code === 0x20) loaded = facts.readUInt32LE(value)
    else if (code === 0x15) at += loaded === value ? yes : no
    else if (code === 0x25) at += loaded > value ? yes : no
    else if (code === 0x45) at += (loaded & value) >>> 0 !== 0 ? yes : no
    else throw new Error(`There is no operation ${code}.`)
  }
  throw new Error('The filter has no end.')
}

/** Calls with a mode: its place, and the number on each processor, as the headers of Linux have them. */
const withMode: [name: string, place: number, x64: number, arm64: number | null][] = [
  ['chmod', 1, 90, null],
  ['fchmod', 1, 91, 52],
  ['fchmodat', 2, 268, 53],
  ['fchmodat2', 2, 452, 452],
  ['creat', 1, 85, null],
  ['mkdir', 1, 83, null],
  ['mkdirat', 2, 258, 34],
  ['mknod', 1, 133, null],
  ['mknodat', 2, 259, 33],
]
const unknown: [string, number, number][] = [
  ['openat2', 437, 437],
  ['memfd_create', 319, 279],
  ['memfd_secret', 447, 447],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['clone3', 435, 435],
  ['a call of a newer kernel', 463, 463],
]
const refused: [string, number, number][] = [
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
]

describe.each(['x64', 'arm64'] as const)('the filter for %s', (arch) => {
  const pick = (x64: number, arm64: number | null) => (arch === 'x64' ? x64 : arm64)

  it('refuses set-id bits in every mode, and no other bits', () => {
    for (const [name, place, x64, arm64] of withMode) {
      const number = pick(x64, arm64)
      if (number === null) continue
      const withBits = (mode: number) => ({ number, args: [...Array(place).fill(0), mode] })
      for (const mode of [0o4755, 0o2755, 0o6000, 0o106755])
        expect(answerOf(arch, withBits(mode)), `${name} ${mode}`).toBe(EPERM)
      for (const mode of [0o755, 0o1777, 0o100644])
        expect(answerOf(arch, withBits(mode)), `${name} ${mode}`).toBe('allowed')
    }
  })

  it('refuses set-id bits where opening makes a file, and looks at no mode where it does not', () => {
    const opening = arch === 'x64' ? [{ number: 2, at: 1 }] : []
    for (const { number, at } of [...opening, { number: arch === 'x64' ? 257 : 56, at: 2 }]) {
      const open = (flags: number, mode: number) =>
        answerOf(arch, { number, args: [...Array(at).fill(0), flags, mode] })
      for (const flags of [0o100, 0o102, 0o20200000, 0o20000000]) {
        expect(open(flags, 0o4755)).toBe(EPERM)
        expect(open(flags, 0o755)).toBe('allowed')
      }
      expect(open(0o2, 0o6755)).toBe('allowed')
    }
  })

  it('does not know what programs do without, and refuses what they have no use for', () => {
    for (const [name, x64, arm64] of unknown)
      expect(answerOf(arch, { number: pick(x64, arm64) ?? 0 }), name).toBe(ENOSYS)
    for (const [name, x64, arm64] of refused)
      expect(answerOf(arch, { number: pick(x64, arm64) ?? 0 }), name).toBe(EPERM)
  })

  it('lets clone make processes and threads, and no namespace', () => {
    const number = arch === 'x64' ? 56 : 220
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000])
      expect(answerOf(arch, { number, args: [flag | 17] })).toBe(EPERM)
    expect(answerOf(arch, { number, args: [0x40000011] })).toBe(EPERM)
    // A fork as libraries make it, a vfork, and a thread.
    for (const flags of [0x1200011, 0x4111, 0x3d0f00])
      expect(answerOf(arch, { number, args: [flags] })).toBe('allowed')
  })

  it('opens sockets of the families alone that namespaces keep inside', () => {
    const socket = (family: number) =>
      answerOf(arch, { number: arch === 'x64' ? 41 : 198, args: [family, 1, 0] })
    for (const family of [1, 2, 10, 16]) expect(socket(family), `${family}`).toBe('allowed')
    for (const family of [0, 3, 9, 11, 15, 17, 31, 38, 40, 44])
      expect(socket(family), `${family}`).toBe('EAFNOSUPPORT')
  })

  it('ends calls of another processor and of 32-bit programs, and does not know those of x32', () => {
    const { other } = machines[arch]
    expect(answerOf(arch, { number: 15, audit: other })).toBe('ended')
    expect(answerOf(arch, { number: 0x40000000 + 90, args: [0, 0o4755] })).toBe(ENOSYS)
  })

  it('allows everything else', () => {
    for (const number of arch === 'x64' ? [0, 1, 3, 9, 59, 231] : [57, 63, 64, 93, 221, 222])
      expect(answerOf(arch, { number })).toBe('allowed')
  })
})

it('refuses memory that outlives its process only where it is asked to', () => {
  const calls = { x64: [29, 64, 68, 240], arm64: [194, 190, 186, 180] }
  for (const [arch, numbers] of Object.entries(calls))
    for (const number of numbers) {
      const asks = Buffer.from([0x15, 0, 0, 1, number, 0, 0, 0])
      expect(systemCallFilter(arch, { sharedMemory: false })?.includes(asks)).toBe(true)
      expect(systemCallFilter(arch)?.includes(asks)).toBe(false)
    }
})

it('is not there for other processors', () => {
  expect(systemCallFilter('riscv64')).toBeNull()
})
